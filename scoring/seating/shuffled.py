"""Random seating: tables drawn by chance, then people exchanged until as few pairs as possible meet again.

The search is a walk of bounded length, steered by the random generator it is given and by nothing else (no clock, no
order of a set), so one seed gives one plan on every machine. It finds seatings in which nobody meets again from 16
players for five rounds upwards; where the last repeat is hard to remove it may stop before the very best.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random

from scoring.seating.places import seat_groups
from scoring.seating.plan import Room, meetings, seated
from scoring.seating.tables import Tables

# An exchange that costs nothing is taken, one that adds one or two meetings again now and then, a worse one never:
# enough to climb out of a dead end, seldom enough to keep what was gained. By trial on 16 to 60 players.
CLIMBS = (1.0, 0.05, 0.004)
PROPOSALS = 4
# A walk that comes close goes on longer: the last repeat is the hardest to remove, a dozen will not go away.
STEPS = 30_000
STEPS_WHEN_CLOSE = 200_000
CLOSE = 2


class Draw:
    """One drawing of all rounds, and the exchanges that improve it.

    `groups[r][t]` are the people of table t in round r. `cost` counts, for each two people, the pairs of rounds in
    which they meet (three meetings weigh three), past rounds included but for what the past did by itself.
    An *odd* table has three or five people; who sits there is kept as even as it can be throughout.
    """

    def __init__(self, *, players: int, sizes: Sequence[int], rounds: int, past: Sequence[Room], rng: Random) -> None:
        self.players = players
        self.sizes = tuple(sizes)
        self.rng = rng
        self.met_before = [bytearray(players) for _ in range(players)]
        for room in past:
            for one, other in meetings(room):
                self.met_before[one][other] += 1
                self.met_before[other][one] += 1
        self.met = [bytearray(row) for row in self.met_before]
        self.odd_times = count_odd(players, past, odd_size=sizes[-1])
        self.again: list[tuple[int, int]] = []
        self.index_in_again: dict[tuple[int, int], int] = {}
        self.cost = 0
        self.groups: list[list[list[int]]] = []
        self.table_of: list[list[int]] = []
        for _ in range(rounds):
            self.add_round()

    def add_round(self) -> None:
        """Shuffle everybody to the tables; the odd tables, which come last, take those who sat at one least often."""
        order = list(range(self.players))
        self.rng.shuffle(order)
        if self.sizes[-1] != 4:
            order.sort(key=lambda player: -self.odd_times[player])
            odd_seats = sum(size for size in self.sizes if size != 4)
            at_fours, at_odd = order[: self.players - odd_seats], order[self.players - odd_seats :]
            self.rng.shuffle(at_fours)
            self.rng.shuffle(at_odd)
            order = at_fours + at_odd
            for player in at_odd:
                self.odd_times[player] += 1
        groups: list[list[int]] = []
        table_of = [0] * self.players
        for table, size in enumerate(self.sizes):
            group, order = order[:size], order[size:]
            for player in group:
                table_of[player] = table
            for one, other in combinations(group, 2):
                self.join(one, other)
            groups.append(group)
        self.groups.append(groups)
        self.table_of.append(table_of)

    def join(self, one: int, other: int) -> None:
        """Count a meeting more of two people."""
        times = self.met[one][other]
        self.cost += times
        self.met[one][other] = self.met[other][one] = times + 1
        pair = (one, other) if one < other else (other, one)
        if times and pair not in self.index_in_again:
            self.index_in_again[pair] = len(self.again)
            self.again.append(pair)

    def part(self, one: int, other: int) -> None:
        """Count a meeting less; the last pair of `again` takes the place of a pair that leaves it."""
        times = self.met[one][other] - 1
        self.cost -= times
        self.met[one][other] = self.met[other][one] = times
        pair = (one, other) if one < other else (other, one)
        if pair in self.index_in_again and (times == 1 or times == self.met_before[one][other]):
            index = self.index_in_again.pop(pair)
            last = self.again.pop()
            if last != pair:
                self.again[index] = last
                self.index_in_again[last] = index

    def growth(self, one: int, group: Sequence[int], two: int, other_group: Sequence[int]) -> int:
        """What `cost` would grow by if `one` of the group and `two` of the other group changed places."""
        met_one, met_two = self.met[one], self.met[two]
        growth = len(group) + len(other_group) - 2
        for mate in other_group:
            if mate != two:
                growth += met_one[mate] - met_two[mate]
        for mate in group:
            if mate != one:
                growth += met_two[mate] - met_one[mate]
        return growth

    def may_exchange(self, one: int, group: Sequence[int], two: int, other_group: Sequence[int]) -> bool:
        """Whether the odd tables stay as evenly shared: only somebody who was there less often may come in."""
        if len(group) == len(other_group):
            return True
        if len(group) == 4:
            return self.odd_times[two] > self.odd_times[one]
        return self.odd_times[one] > self.odd_times[two]

    def exchange(self, round_index: int, one: int, two: int) -> None:
        """Let two people change places in one round."""
        table_of = self.table_of[round_index]
        group, other_group = (self.groups[round_index][table_of[player]] for player in (one, two))
        if len(group) != len(other_group):
            self.odd_times[one] += 1 if len(group) == 4 else -1
            self.odd_times[two] += 1 if len(other_group) == 4 else -1
        for leaver, comer, people in ((one, two, group), (two, one, other_group)):
            for mate in people:
                if mate != leaver:
                    self.part(leaver, mate)
            people[people.index(leaver)] = comer
        for comer, people in ((two, group), (one, other_group)):
            for mate in people:
                if mate != comer:
                    self.join(comer, mate)
        table_of[one], table_of[two] = table_of[two], table_of[one]

    def improve(self, *, enough: int) -> list[list[list[int]]]:
        """Walk until the cost is no more than `enough` or the steps are used up; the best groups seen."""
        chance = self.rng.random
        best, least = self.copy(), self.cost
        for step in range(STEPS_WHEN_CLOSE):
            if least <= enough or (step >= STEPS and least > enough + CLOSE):
                break
            pair = self.again[int(chance() * len(self.again))]
            shared = [r for r, table_of in enumerate(self.table_of) if table_of[pair[0]] == table_of[pair[1]]]
            round_index = shared[int(chance() * len(shared))]
            one = pair[int(chance() * 2)]
            two, growth = self.propose(round_index, one)
            if two is None or (growth > 0 and (growth >= len(CLIMBS) or chance() >= CLIMBS[growth])):
                continue
            self.exchange(round_index, one, two)
            if self.cost < least:
                best, least = self.copy(), self.cost
        return best

    def propose(self, round_index: int, one: int) -> tuple[int | None, int]:
        """Of a few people drawn from other tables, the one best exchanged with `one`, and the growth of the cost."""
        table_of, groups = self.table_of[round_index], self.groups[round_index]
        table = table_of[one]
        best: int | None = None
        least = 0
        for _ in range(PROPOSALS):
            two = int(self.rng.random() * self.players)
            if table_of[two] == table:
                continue
            group, other_group = groups[table], groups[table_of[two]]
            if self.may_exchange(one, group, two, other_group):
                growth = self.growth(one, group, two, other_group)
                if best is None or growth < least:
                    best, least = two, growth
        return best, least

    def copy(self) -> list[list[list[int]]]:
        return [[list(group) for group in groups] for groups in self.groups]


def count_odd(players: int, past: Sequence[Room], *, odd_size: int) -> list[int]:
    """How often each player sat at a table of the odd size before; nought for all when the size is four."""
    times = [0] * players
    if odd_size != 4:
        for room in past:
            for people in map(seated, room):
                if len(people) == odd_size:
                    for player in people:
                        times[player] += 1
    return times


def least_cost(*, players: int, sizes: Sequence[int], rounds: int, past: Sequence[Room]) -> int:
    """A cost that no seating can go below, so a search that reaches it may stop.

    The greater of two counts: between any two rounds, people of one table spread over the tables of the other; and all
    meetings spread over all pairs.
    """
    present = [sum(len(seated(places)) for places in room) for room in past]
    tables_before = [len(room) + players - people for room, people in zip(past, present, strict=True)]
    tables_before += [len(sizes)] * rounds
    between = sum(
        evenly(size, tables)
        for later in range(len(past), len(tables_before))
        for tables in tables_before[:later]
        for size in sizes
    )
    met: dict[tuple[int, int], int] = {}
    for room in past:
        for pair in meetings(room):
            met[pair] = met.get(pair, 0) + 1
    total = sum(met.values()) + rounds * sum(comb(size, 2) for size in sizes)
    overall = evenly(total, comb(players, 2)) - sum(comb(times, 2) for times in met.values())
    return max(between, overall)


def evenly(things: int, boxes: int) -> int:
    """How many pairs of things share a box when the things are spread as evenly as can be."""
    each, over = divmod(things, boxes)
    return (boxes - over) * comb(each, 2) + over * comb(each + 1, 2)


def random_rounds(*, players: int, tables: Tables, rounds: int, past: Sequence[Room], rng: Random) -> tuple[Room, ...]:
    """The planned rounds: fewest meetings again first, tables of three (or five) and places shared evenly."""
    draw = Draw(players=players, sizes=tables.sizes, rounds=rounds, past=past, rng=rng)
    enough = least_cost(players=players, sizes=tables.sizes, rounds=rounds, past=past)
    return seat_groups(draw.improve(enough=enough), players=players, past=past, rng=rng)
