"""The guards in SQLite's language. It has no deferred triggers: what only a commit can show is checked by the services.

SQLite's `INSERT OR REPLACE` deletes rows without asking the triggers that refuse deletion; therefore the triggers on
insert refuse a row that would take the place of another one.
"""

from collections.abc import Mapping, Sequence

# Tables whose rows may only lose one thing: a version its being in force, a line of the journal its free words.
VERSIONED = {
    "tournaments_donne": ("is_current", "OLD.is_current = 1 AND NEW.is_current = 0"),
    "tournaments_sheetnet": ("is_current", "OLD.is_current = 1 AND NEW.is_current = 0"),
    "tournaments_event": ("text", "NEW.text = ''"),
}

_STATE_OF = """(SELECT s.state FROM tournaments_table t JOIN tournaments_round r ON r.id = t.round_id
    JOIN tournaments_session s ON s.id = r.session_id WHERE t.id = {table})"""
_SLOTS_OF = _STATE_OF.replace("s.state", "s.donnes_per_round")
_SITS = """EXISTS (SELECT 1 FROM tournaments_seat s WHERE s.table_id = {table} AND s.place = NEW.place
    AND s.entrant_id = NEW.entrant_id AND s.from_donne <= {number} AND coalesce(s.to_donne, 32767) >= {number})"""
_DONNE_OF_MARK = "(SELECT {column} FROM tournaments_donne WHERE id = NEW.donne_id)"
_HAS_RESULTS = """(EXISTS (SELECT 1 FROM tournaments_donne WHERE table_id = {table})
    OR EXISTS (SELECT 1 FROM tournaments_sheetnet WHERE table_id = {table}))"""
_DONNES_OF_SESSION = """tournaments_donne d JOIN tournaments_table t ON t.id = d.table_id
    JOIN tournaments_round r ON r.id = t.round_id JOIN tournaments_session s ON s.id = r.session_id"""

_MARKED_TABLE = _DONNE_OF_MARK.format(column="table_id")
_MARKED_NUMBER = _DONNE_OF_MARK.format(column="number")
_MARKED_PLACES = _DONNE_OF_MARK.format(column="places")
_SEAT_RESULT = """d.table_id = OLD.table_id AND (d.sitting_out = OLD.place OR EXISTS (SELECT 1 FROM tournaments_mark m
    WHERE m.donne_id = d.id AND m.place = OLD.place AND m.entrant_id = OLD.entrant_id))
    AND d.number BETWEEN OLD.from_donne AND coalesce(OLD.to_donne, 32767)"""
_SEAT_NETS = """EXISTS (SELECT 1 FROM tournaments_sheetnet n WHERE n.table_id = OLD.table_id AND n.place = OLD.place
    AND n.entrant_id = OLD.entrant_id)"""
_SEAT_STAYS = "NEW.table_id = OLD.table_id AND NEW.place = OLD.place AND NEW.entrant_id = OLD.entrant_id"
_SEAT_AWRY = """NOT EXISTS (SELECT 1 FROM tournaments_table t JOIN tournaments_round r ON r.id = t.round_id
    JOIN tournaments_entrant e ON e.session_id = r.session_id
    WHERE t.id = NEW.table_id AND t.round_id = NEW.round_id AND e.id = NEW.entrant_id)
    OR EXISTS (SELECT 1 FROM tournaments_seat s WHERE s.table_id = NEW.table_id AND s.place = NEW.place
    AND s.id <> NEW.id AND s.from_donne <= coalesce(NEW.to_donne, 32767)
    AND NEW.from_donne <= coalesce(s.to_donne, 32767))"""

# name: (when and where, what is refused, in words)
_TRIGGERS: Mapping[str, tuple[str, str, str]] = {
    "donne_before_insert": (
        "BEFORE INSERT ON tournaments_donne",
        f"""{_STATE_OF.format(table="NEW.table_id")} IN ('FINAL', 'REGISTRATION')
    OR NEW.number > {_SLOTS_OF.format(table="NEW.table_id")} OR NEW.is_current = 0
    OR (NEW.replaces_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tournaments_donne elder
        WHERE elder.id = NEW.replaces_id AND elder.table_id = NEW.table_id AND elder.number = NEW.number
        AND elder.version = NEW.version - 1 AND elder.is_current = 0))
    OR EXISTS (SELECT 1 FROM tournaments_donne d WHERE d.id = NEW.id OR d.replaces_id = NEW.replaces_id
        OR (d.table_id = NEW.table_id AND d.number = NEW.number AND (d.version = NEW.version OR d.is_current)))
    OR (NEW.taker <> '' AND instr(NEW.places, NEW.taker) = 0)
    OR (NEW.sitting_out <> '' AND instr(NEW.places, NEW.sitting_out) > 0)""",
        "a version in an open session replaces the one before it",
    ),
    "donne_before_update_final": (
        "BEFORE UPDATE ON tournaments_donne",
        f"{_STATE_OF.format(table='OLD.table_id')} = 'FINAL'",
        "the session is final",
    ),
    "donne_before_delete": ("BEFORE DELETE ON tournaments_donne", "1", "results are only added to"),
    "mark_before_insert": (
        "BEFORE INSERT ON tournaments_mark",
        f"""{_STATE_OF.format(table=_MARKED_TABLE)} = 'FINAL'
    OR instr({_MARKED_PLACES}, NEW.place) = 0
    OR NOT {_SITS.format(table=_MARKED_TABLE, number=_MARKED_NUMBER)}
    OR EXISTS (SELECT 1 FROM tournaments_mark m WHERE m.id = NEW.id
        OR (m.donne_id = NEW.donne_id AND (m.place = NEW.place OR m.entrant_id = NEW.entrant_id)))""",
        "one mark for each player of a donne of an open session",
    ),
    "mark_after_insert": (
        "AFTER INSERT ON tournaments_mark",
        f"""(SELECT count(*) = length({_MARKED_PLACES}) AND sum(points) <> 0
        FROM tournaments_mark WHERE donne_id = NEW.donne_id)""",
        "the marks of a donne add up to zero",
    ),
    "mark_before_update": ("BEFORE UPDATE ON tournaments_mark", "1", "results are only added to"),
    "mark_before_delete": ("BEFORE DELETE ON tournaments_mark", "1", "results are only added to"),
    "net_before_insert": (
        "BEFORE INSERT ON tournaments_sheetnet",
        f"""{_STATE_OF.format(table="NEW.table_id")} IN ('FINAL', 'REGISTRATION')
    OR NEW.is_current = 0
    OR NEW.version NOT IN (SELECT coalesce(max(version), 0) FROM tournaments_sheetnet WHERE table_id = NEW.table_id
        UNION ALL SELECT coalesce(max(version), 0) + 1 FROM tournaments_sheetnet WHERE table_id = NEW.table_id)
    OR EXISTS (SELECT 1 FROM tournaments_sheetnet n WHERE n.id = NEW.id OR (n.table_id = NEW.table_id
        AND (n.is_current <> (n.version = NEW.version)
             OR (n.version = NEW.version AND (n.place = NEW.place OR n.entrant_id = NEW.entrant_id)))))
    OR NOT {_SITS.format(table="NEW.table_id", number="s.from_donne")}""",
        "new bilans in an open session follow the last ones, one for each seat",
    ),
    "net_after_insert": (
        "AFTER INSERT ON tournaments_sheetnet",
        """(SELECT count(*) = (SELECT count(DISTINCT place) FROM tournaments_seat WHERE table_id = NEW.table_id)
        AND sum(net) <> 0 FROM tournaments_sheetnet WHERE table_id = NEW.table_id AND is_current)""",
        "the bilans of a table add up to zero",
    ),
    "net_before_update_final": (
        "BEFORE UPDATE ON tournaments_sheetnet",
        f"{_STATE_OF.format(table='OLD.table_id')} = 'FINAL'",
        "the session is final",
    ),
    "net_before_delete": ("BEFORE DELETE ON tournaments_sheetnet", "1", "results are only added to"),
    "penalty_before_insert": (
        "BEFORE INSERT ON tournaments_penalty",
        """EXISTS (SELECT 1 FROM tournaments_session WHERE id = NEW.session_id AND state = 'FINAL')
    OR NOT EXISTS (SELECT 1 FROM tournaments_entrant WHERE id = NEW.entrant_id AND session_id = NEW.session_id)
    OR EXISTS (SELECT 1 FROM tournaments_penalty WHERE id = NEW.id OR withdraws_id = NEW.withdraws_id)""",
        "a penalty for somebody of an open session",
    ),
    "penalty_before_update": ("BEFORE UPDATE ON tournaments_penalty", "1", "results are only added to"),
    "penalty_before_delete": ("BEFORE DELETE ON tournaments_penalty", "1", "results are only added to"),
    "event_before_insert": (
        "BEFORE INSERT ON tournaments_event",
        """EXISTS (SELECT 1 FROM tournaments_event e WHERE e.id = NEW.id
        OR (e.seq = NEW.seq AND (e.table_id = NEW.table_id OR e.session_id = NEW.session_id)))
    OR (NOT (NEW.seq = 1 AND NEW.previous = '') AND NOT EXISTS (SELECT 1 FROM tournaments_event e
        WHERE (e.table_id = NEW.table_id OR e.session_id = NEW.session_id)
        AND e.seq = NEW.seq - 1 AND e.digest = NEW.previous))""",
        "a line of the journal follows the one before it",
    ),
    "event_before_delete": ("BEFORE DELETE ON tournaments_event", "1", "results are only added to"),
    "rules_before_insert": (
        "BEFORE INSERT ON tournaments_rules",
        "EXISTS (SELECT 1 FROM tournaments_rules WHERE frozen_at IS NOT NULL AND (id = NEW.id OR name = NEW.name))",
        "the scale is frozen",
    ),
    "rules_before_update": ("BEFORE UPDATE ON tournaments_rules", "OLD.frozen_at IS NOT NULL", "the scale is frozen"),
    "rules_before_delete": ("BEFORE DELETE ON tournaments_rules", "OLD.frozen_at IS NOT NULL", "the scale is frozen"),
    "seat_before_insert": (
        "BEFORE INSERT ON tournaments_seat",
        f"""{_SEAT_AWRY} OR EXISTS (SELECT 1 FROM tournaments_seat s WHERE s.id = NEW.id
        OR (s.round_id = NEW.round_id AND s.entrant_id = NEW.entrant_id))""",
        "a seat of another position or session, or taken",
    ),
    "seat_before_update": ("BEFORE UPDATE ON tournaments_seat", _SEAT_AWRY, "a seat of another position, or taken"),
    "seat_before_move": (
        "BEFORE UPDATE ON tournaments_seat",
        f"""EXISTS (SELECT 1 FROM tournaments_donne d WHERE {_SEAT_RESULT} AND NOT ({_SEAT_STAYS}
        AND d.number BETWEEN NEW.from_donne AND coalesce(NEW.to_donne, 32767)))
    OR (NOT ({_SEAT_STAYS}) AND {_SEAT_NETS})""",
        "a seat with results stays",
    ),
    "seat_before_delete": (
        "BEFORE DELETE ON tournaments_seat",
        f"EXISTS (SELECT 1 FROM tournaments_donne d WHERE {_SEAT_RESULT}) OR {_SEAT_NETS}",
        "a seat with results stays",
    ),
    "table_before_move": (
        "BEFORE UPDATE ON tournaments_table",
        f"""(NEW.round_id <> OLD.round_id OR NEW.number <> OLD.number OR NEW.game <> OLD.game)
    AND {_HAS_RESULTS.format(table="OLD.id")}""",
        "a table with results stays",
    ),
    "round_before_move": (
        "BEFORE UPDATE ON tournaments_round",
        f"""(NEW.session_id <> OLD.session_id OR NEW.number <> OLD.number) AND EXISTS (
        SELECT 1 FROM tournaments_table t WHERE t.round_id = OLD.id AND {_HAS_RESULTS.format(table="t.id")})""",
        "a position with results stays",
    ),
    "entrant_before_move": (
        "BEFORE UPDATE ON tournaments_entrant",
        """(NEW.session_id <> OLD.session_id OR NEW.person_id <> OLD.person_id)
    AND (EXISTS (SELECT 1 FROM tournaments_mark WHERE entrant_id = OLD.id)
         OR EXISTS (SELECT 1 FROM tournaments_sheetnet WHERE entrant_id = OLD.id))""",
        "an entrant with results stays",
    ),
    "session_before_move": (
        "BEFORE UPDATE ON tournaments_session",
        f"""(NEW.tournament_id <> OLD.tournament_id OR NEW.donnes_per_round <> OLD.donnes_per_round)
    AND EXISTS (SELECT 1 FROM {_DONNES_OF_SESSION} WHERE s.id = OLD.id
        AND (NEW.tournament_id <> OLD.tournament_id OR d.number > NEW.donnes_per_round))""",
        "a session with results keeps its tournament and its slots",
    ),
    "tournament_before_move": (
        "BEFORE UPDATE ON tournaments_tournament",
        f"""(NEW.rules_id <> OLD.rules_id OR NEW.club_id <> OLD.club_id)
    AND EXISTS (SELECT 1 FROM {_DONNES_OF_SESSION} WHERE s.tournament_id = OLD.id)""",
        "a tournament with results keeps its scale and its club",
    ),
}

NAMES = tuple(
    f"tournaments_guard_{name}"
    for name in (*_TRIGGERS, "donne_before_update", "sheetnet_before_update", "event_before_update")
)

PRESENT = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'tournaments\\_guard\\_%' ESCAPE '\\'"


def install(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the statements that put every guard in place; `columns` are those of the VERSIONED tables as they are."""
    plain = [_trigger(name, where, refused, words) for name, (where, refused, words) in _TRIGGERS.items()]
    return [*plain, *(_only_loses(table, columns[table]) for table in VERSIONED)]


def _only_loses(table: str, columns: Sequence[str]) -> str:
    free, change = VERSIONED[table]
    same = " AND ".join(f'NEW."{column}" IS OLD."{column}"' for column in columns if column != free)
    name = f"{table.removeprefix('tournaments_')}_before_update"
    return _trigger(name, f"BEFORE UPDATE ON {table}", f"NOT ({change} AND {same})", "results are only added to")


def _trigger(name: str, where: str, refused: str, words: str) -> str:
    return f"CREATE TRIGGER tournaments_guard_{name} {where} WHEN {refused}\nBEGIN SELECT RAISE(ABORT, '{words}'); END"
