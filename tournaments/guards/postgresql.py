"""The guards in PostgreSQL's language: row triggers for what shows at once, deferred ones for what a commit holds."""

_FUNCTIONS = {
    "refuse": """
BEGIN
    RAISE EXCEPTION '% on % is refused: results are only added to', TG_OP, TG_TABLE_NAME USING ERRCODE = '23000';
END""",
    "donne_before_insert": """
DECLARE
    session_state text;
    slots integer;
BEGIN
    SELECT s.state, s.donnes_per_round INTO session_state, slots
    FROM tournaments_table t
    JOIN tournaments_round r ON r.id = t.round_id
    JOIN tournaments_session s ON s.id = r.session_id
    WHERE t.id = NEW.table_id;
    IF session_state IN ('FINAL', 'REGISTRATION') THEN
        RAISE EXCEPTION 'the session takes no results' USING ERRCODE = '23000';
    END IF;
    IF NEW.number > slots THEN
        RAISE EXCEPTION 'the sheet has % slots', slots USING ERRCODE = '23000';
    END IF;
    IF NOT NEW.is_current THEN
        RAISE EXCEPTION 'a new version is the one in force' USING ERRCODE = '23000';
    END IF;
    IF NEW.replaces_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM tournaments_donne elder
        WHERE elder.id = NEW.replaces_id AND elder.table_id = NEW.table_id AND elder.number = NEW.number
          AND elder.version = NEW.version - 1 AND NOT elder.is_current
    ) THEN
        RAISE EXCEPTION 'a version replaces the one before it' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "donne_before_update": """
DECLARE
    retired tournaments_donne := OLD;
BEGIN
    retired.is_current := false;
    IF NOT OLD.is_current OR NEW IS DISTINCT FROM retired THEN
        RAISE EXCEPTION 'a version may only be taken out of force' USING ERRCODE = '23000';
    END IF;
    IF tournaments_guard_is_final(OLD.table_id) THEN
        RAISE EXCEPTION 'the session is final' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "donne_at_commit": """
DECLARE
    donne tournaments_donne;
    marks integer;
    total bigint;
    seated integer;
BEGIN
    SELECT * INTO donne FROM tournaments_donne WHERE id = NEW.id;
    IF NOT donne.is_current AND NOT EXISTS (SELECT 1 FROM tournaments_donne WHERE replaces_id = donne.id) THEN
        RAISE EXCEPTION 'donne %: taken out of force without a version in its place', donne.id USING ERRCODE = '23000';
    END IF;
    SELECT count(*), coalesce(sum(m.points), 0), count(s.id) INTO marks, total, seated
    FROM tournaments_mark m
    LEFT JOIN tournaments_seat s ON s.table_id = donne.table_id AND s.place = m.place
        AND s.entrant_id = m.entrant_id AND donne.number >= s.from_donne
        AND (s.to_donne IS NULL OR donne.number <= s.to_donne)
    WHERE m.donne_id = donne.id;
    IF marks <> length(donne.places) THEN
        RAISE EXCEPTION 'donne %: % marks for the places %', donne.id, marks, donne.places USING ERRCODE = '23000';
    END IF;
    IF total <> 0 THEN
        RAISE EXCEPTION 'donne %: the marks add up to %', donne.id, total USING ERRCODE = '23000';
    END IF;
    IF seated <> marks THEN
        RAISE EXCEPTION 'donne %: a mark for somebody who does not sit there', donne.id USING ERRCODE = '23000';
    END IF;
    IF (donne.taker <> '' AND position(donne.taker IN donne.places) = 0)
        OR (donne.sitting_out <> '' AND position(donne.sitting_out IN donne.places) > 0) THEN
        RAISE EXCEPTION 'donne %: a taker who does not play, or a mort who does', donne.id USING ERRCODE = '23000';
    END IF;
    RETURN NULL;
END""",
    "mark_before_insert": """
DECLARE
    donne tournaments_donne;
BEGIN
    SELECT * INTO donne FROM tournaments_donne WHERE id = NEW.donne_id;
    IF position(NEW.place IN donne.places) = 0 THEN
        RAISE EXCEPTION 'nobody plays this donne at %', NEW.place USING ERRCODE = '23000';
    END IF;
    IF tournaments_guard_is_final(donne.table_id) THEN
        RAISE EXCEPTION 'the session is final' USING ERRCODE = '23000';
    END IF;
    IF NOT EXISTS (
        SELECT 1 FROM tournaments_seat s
        WHERE s.table_id = donne.table_id AND s.place = NEW.place AND s.entrant_id = NEW.entrant_id
          AND donne.number >= s.from_donne AND (s.to_donne IS NULL OR donne.number <= s.to_donne)
    ) THEN
        RAISE EXCEPTION 'a mark for somebody who does not sit there' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "net_before_insert": """
DECLARE
    last integer;
    session_state text;
BEGIN
    SELECT s.state INTO session_state
    FROM tournaments_table t
    JOIN tournaments_round r ON r.id = t.round_id
    JOIN tournaments_session s ON s.id = r.session_id
    WHERE t.id = NEW.table_id;
    IF session_state IN ('FINAL', 'REGISTRATION') THEN
        RAISE EXCEPTION 'the session takes no results' USING ERRCODE = '23000';
    END IF;
    SELECT coalesce(max(version), 0) INTO last FROM tournaments_sheetnet WHERE table_id = NEW.table_id;
    IF NOT NEW.is_current OR NEW.version NOT IN (last, last + 1) OR EXISTS (
        SELECT 1 FROM tournaments_sheetnet n
        WHERE n.table_id = NEW.table_id AND n.is_current IS DISTINCT FROM (n.version = NEW.version)
    ) THEN
        RAISE EXCEPTION 'new bilans follow the last ones, which are out of force' USING ERRCODE = '23000';
    END IF;
    IF NOT EXISTS (
        SELECT 1 FROM tournaments_seat s
        WHERE s.table_id = NEW.table_id AND s.place = NEW.place AND s.entrant_id = NEW.entrant_id
    ) THEN
        RAISE EXCEPTION 'a bilan for somebody who does not sit there' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "net_before_update": """
DECLARE
    retired tournaments_sheetnet := OLD;
BEGIN
    retired.is_current := false;
    IF NOT OLD.is_current OR NEW IS DISTINCT FROM retired THEN
        RAISE EXCEPTION 'bilans may only be taken out of force' USING ERRCODE = '23000';
    END IF;
    IF tournaments_guard_is_final(OLD.table_id) THEN
        RAISE EXCEPTION 'the session is final' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "net_at_commit": """
DECLARE
    nets integer;
    total bigint;
    versions integer;
    places integer;
BEGIN
    SELECT count(*), coalesce(sum(net), 0), count(DISTINCT version) INTO nets, total, versions
    FROM tournaments_sheetnet WHERE table_id = NEW.table_id AND is_current;
    SELECT count(DISTINCT place) INTO places FROM tournaments_seat WHERE table_id = NEW.table_id;
    IF nets > 0 AND (total <> 0 OR versions <> 1 OR nets <> places) THEN
        RAISE EXCEPTION 'table %: % bilans for % seats, adding up to %', NEW.table_id, nets, places, total
            USING ERRCODE = '23000';
    END IF;
    RETURN NULL;
END""",
    "penalty_before_insert": """
BEGIN
    IF EXISTS (SELECT 1 FROM tournaments_session WHERE id = NEW.session_id AND state = 'FINAL') THEN
        RAISE EXCEPTION 'the session is final' USING ERRCODE = '23000';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM tournaments_entrant WHERE id = NEW.entrant_id AND session_id = NEW.session_id) THEN
        RAISE EXCEPTION 'a penalty for somebody of another session' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "event_before_insert": """
BEGIN
    IF NOT (NEW.seq = 1 AND NEW.previous = '') AND NOT EXISTS (
        SELECT 1 FROM tournaments_event e
        WHERE (e.table_id = NEW.table_id OR e.session_id = NEW.session_id)
          AND e.seq = NEW.seq - 1 AND e.digest = NEW.previous
    ) THEN
        RAISE EXCEPTION 'a line of the journal follows the one before it' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "event_before_update": """
DECLARE
    erased tournaments_event := OLD;
BEGIN
    erased.text := '';
    IF NEW IS DISTINCT FROM erased THEN
        RAISE EXCEPTION 'of a line of the journal only the free words may be erased' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "rules_before_change": """
BEGIN
    IF OLD.frozen_at IS NOT NULL THEN
        RAISE EXCEPTION 'the scale % is frozen: results were scored with it', OLD.name USING ERRCODE = '23000';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END""",
    "seat_before_write": """
BEGIN
    IF NOT EXISTS (
        SELECT 1 FROM tournaments_table t
        JOIN tournaments_round r ON r.id = t.round_id
        JOIN tournaments_entrant e ON e.session_id = r.session_id
        WHERE t.id = NEW.table_id AND t.round_id = NEW.round_id AND e.id = NEW.entrant_id
    ) THEN
        RAISE EXCEPTION 'a seat of another position or session' USING ERRCODE = '23000';
    END IF;
    IF EXISTS (
        SELECT 1 FROM tournaments_seat s
        WHERE s.table_id = NEW.table_id AND s.place = NEW.place AND s.id <> NEW.id
          AND s.from_donne <= coalesce(NEW.to_donne, 32767) AND NEW.from_donne <= coalesce(s.to_donne, 32767)
    ) THEN
        RAISE EXCEPTION 'two people in one seat' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "seat_before_move": """
DECLARE
    stays boolean := TG_OP = 'UPDATE';
BEGIN
    IF stays THEN
        stays := (NEW.table_id, NEW.place, NEW.entrant_id) = (OLD.table_id, OLD.place, OLD.entrant_id);
    END IF;
    IF EXISTS (
        SELECT 1 FROM tournaments_donne d
        WHERE d.table_id = OLD.table_id
          AND (d.sitting_out = OLD.place OR EXISTS (
              SELECT 1 FROM tournaments_mark m
              WHERE m.donne_id = d.id AND m.place = OLD.place AND m.entrant_id = OLD.entrant_id))
          AND d.number >= OLD.from_donne AND (OLD.to_donne IS NULL OR d.number <= OLD.to_donne)
          AND NOT (stays AND d.number >= NEW.from_donne AND (NEW.to_donne IS NULL OR d.number <= NEW.to_donne))
    ) OR (NOT stays AND EXISTS (
        SELECT 1 FROM tournaments_sheetnet n
        WHERE n.table_id = OLD.table_id AND n.place = OLD.place AND n.entrant_id = OLD.entrant_id
    )) THEN
        RAISE EXCEPTION 'a seat with results stays' USING ERRCODE = '23000';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END""",
    "table_before_move": """
BEGIN
    IF (NEW.round_id, NEW.number, NEW.game) IS DISTINCT FROM (OLD.round_id, OLD.number, OLD.game) AND (
        EXISTS (SELECT 1 FROM tournaments_donne WHERE table_id = OLD.id)
        OR EXISTS (SELECT 1 FROM tournaments_sheetnet WHERE table_id = OLD.id)
    ) THEN
        RAISE EXCEPTION 'a table with results stays' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "round_before_move": """
BEGIN
    IF (NEW.session_id, NEW.number) IS DISTINCT FROM (OLD.session_id, OLD.number) AND EXISTS (
        SELECT 1 FROM tournaments_table t WHERE t.round_id = OLD.id AND (
            EXISTS (SELECT 1 FROM tournaments_donne WHERE table_id = t.id)
            OR EXISTS (SELECT 1 FROM tournaments_sheetnet WHERE table_id = t.id))
    ) THEN
        RAISE EXCEPTION 'a position with results stays' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "entrant_before_move": """
BEGIN
    IF (NEW.session_id, NEW.person_id) IS DISTINCT FROM (OLD.session_id, OLD.person_id) AND (
        EXISTS (SELECT 1 FROM tournaments_mark WHERE entrant_id = OLD.id)
        OR EXISTS (SELECT 1 FROM tournaments_sheetnet WHERE entrant_id = OLD.id)
    ) THEN
        RAISE EXCEPTION 'an entrant with results stays' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "session_before_move": """
BEGIN
    IF (NEW.tournament_id <> OLD.tournament_id OR NEW.donnes_per_round <> OLD.donnes_per_round) AND EXISTS (
        SELECT 1 FROM tournaments_donne d
        JOIN tournaments_table t ON t.id = d.table_id
        JOIN tournaments_round r ON r.id = t.round_id
        WHERE r.session_id = OLD.id AND (NEW.tournament_id <> OLD.tournament_id OR d.number > NEW.donnes_per_round)
    ) THEN
        RAISE EXCEPTION 'a session with results keeps its tournament and its slots' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
    "tournament_before_move": """
BEGIN
    IF (NEW.rules_id, NEW.club_id) IS DISTINCT FROM (OLD.rules_id, OLD.club_id) AND EXISTS (
        SELECT 1 FROM tournaments_donne d
        JOIN tournaments_table t ON t.id = d.table_id
        JOIN tournaments_round r ON r.id = t.round_id
        JOIN tournaments_session s ON s.id = r.session_id
        WHERE s.tournament_id = OLD.id
    ) THEN
        RAISE EXCEPTION 'a tournament with results keeps its scale and its club' USING ERRCODE = '23000';
    END IF;
    RETURN NEW;
END""",
}

# name, when, table, function
_TRIGGERS = (
    ("donne_before_insert", "BEFORE INSERT", "donne", "donne_before_insert"),
    ("donne_before_update", "BEFORE UPDATE", "donne", "donne_before_update"),
    ("donne_before_delete", "BEFORE DELETE", "donne", "refuse"),
    ("mark_before_insert", "BEFORE INSERT", "mark", "mark_before_insert"),
    ("mark_before_change", "BEFORE UPDATE OR DELETE", "mark", "refuse"),
    ("net_before_insert", "BEFORE INSERT", "sheetnet", "net_before_insert"),
    ("net_before_update", "BEFORE UPDATE", "sheetnet", "net_before_update"),
    ("net_before_delete", "BEFORE DELETE", "sheetnet", "refuse"),
    ("penalty_before_insert", "BEFORE INSERT", "penalty", "penalty_before_insert"),
    ("penalty_before_change", "BEFORE UPDATE OR DELETE", "penalty", "refuse"),
    ("event_before_insert", "BEFORE INSERT", "event", "event_before_insert"),
    ("event_before_update", "BEFORE UPDATE", "event", "event_before_update"),
    ("event_before_delete", "BEFORE DELETE", "event", "refuse"),
    ("rules_before_change", "BEFORE UPDATE OR DELETE", "rules", "rules_before_change"),
    ("seat_before_write", "BEFORE INSERT OR UPDATE", "seat", "seat_before_write"),
    ("seat_before_move", "BEFORE UPDATE OR DELETE", "seat", "seat_before_move"),
    ("table_before_move", "BEFORE UPDATE", "table", "table_before_move"),
    ("round_before_move", "BEFORE UPDATE", "round", "round_before_move"),
    ("entrant_before_move", "BEFORE UPDATE", "entrant", "entrant_before_move"),
    ("session_before_move", "BEFORE UPDATE", "session", "session_before_move"),
    ("tournament_before_move", "BEFORE UPDATE", "tournament", "tournament_before_move"),
)
_DEFERRED = (
    ("donne_at_commit", "donne", "donne_at_commit"),
    ("net_at_commit", "sheetnet", "net_at_commit"),
)
_NEVER_EMPTIED = ("donne", "mark", "sheetnet", "penalty", "event", "seat")

# Says whether the session of a table is final; called by several triggers.
_IS_FINAL = """
CREATE OR REPLACE FUNCTION tournaments_guard_is_final(wanted bigint) RETURNS boolean LANGUAGE sql STABLE AS $guard$
    SELECT s.state = 'FINAL'
    FROM tournaments_table t
    JOIN tournaments_round r ON r.id = t.round_id
    JOIN tournaments_session s ON s.id = r.session_id
    WHERE t.id = wanted
$guard$"""

NAMES = tuple(
    f"tournaments_guard_{name}"
    for name in (
        *(name for name, _, _, _ in _TRIGGERS),
        *(name for name, _, _ in _DEFERRED),
        *(f"{table}_before_truncate" for table in _NEVER_EMPTIED),
    )
)

INSTALL = [
    _IS_FINAL,
    *(
        f"CREATE OR REPLACE FUNCTION tournaments_guard_{name}() RETURNS trigger LANGUAGE plpgsql "
        f"AS $guard${body}$guard$"
        for name, body in _FUNCTIONS.items()
    ),
    *(
        f"CREATE TRIGGER tournaments_guard_{name} {when} ON tournaments_{table}"
        f" FOR EACH ROW EXECUTE FUNCTION tournaments_guard_{function}()"
        for name, when, table, function in _TRIGGERS
    ),
    *(
        f"CREATE CONSTRAINT TRIGGER tournaments_guard_{name} AFTER INSERT OR UPDATE ON tournaments_{table}"
        f" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tournaments_guard_{function}()"
        for name, table, function in _DEFERRED
    ),
    *(
        f"CREATE TRIGGER tournaments_guard_{table}_before_truncate BEFORE TRUNCATE ON tournaments_{table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION tournaments_guard_refuse()"
        for table in _NEVER_EMPTIED
    ),
]

PRESENT = (
    "SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
    " AND tgname LIKE 'tournaments\\_guard\\_%'"
)


LIFT = [
    "DROP FUNCTION IF EXISTS tournaments_guard_is_final(bigint) CASCADE",
    *(f"DROP FUNCTION IF EXISTS tournaments_guard_{name}() CASCADE" for name in _FUNCTIONS),
]
