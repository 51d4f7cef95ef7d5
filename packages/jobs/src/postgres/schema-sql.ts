/**
 * The format of the tables and functions; a database with a higher one belongs to a newer program. Format 2 has the tables of
 * format 1, and a finished step stays finished. Format 3 has the table `counted` as well.
 */
export const schemaVersion = 3;

/**
 * The tables and functions of one space. Times are milliseconds since 1970. `is_ready`: the job holds a place among
 * those of its key. `turn`: its place in line. `worker`: who runs it; what that worker writes counts only as long as it is named here.
 */
export function schemaSql(schema: string): string {
  return tables.replaceAll('SPACE.', `${schema}.`);
}

/** Replaces the functions of any older format, and adds what it does not have. */
export function functionsSql(schema: string, channel: string): string {
  return functions.replaceAll('SPACE.', `${schema}.`).replaceAll('CHANNEL', channel);
}

const tables = `
CREATE TABLE SPACE.workers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL, flows text[] NOT NULL, lease_ms integer NOT NULL, started_at bigint NOT NULL,
  beat bigint NOT NULL DEFAULT 0);
CREATE SEQUENCE SPACE.turns;
CREATE TABLE SPACE.jobs (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE, flow text NOT NULL, key text, width integer, state text NOT NULL,
  is_ready boolean NOT NULL, turn bigint NOT NULL, worker bigint,
  input text NOT NULL, result text, error text,
  created_at bigint NOT NULL, started_at bigint, ended_at bigint);
CREATE INDEX jobs_claimable ON SPACE.jobs (turn)
  WHERE is_ready AND worker IS NULL AND state IN ('queued', 'running');
CREATE INDEX jobs_lane ON SPACE.jobs (flow, key) WHERE is_ready AND key IS NOT NULL;
CREATE INDEX jobs_in_line ON SPACE.jobs (flow, key, turn) WHERE NOT is_ready AND state = 'queued';
CREATE INDEX jobs_of_worker ON SPACE.jobs (worker) WHERE worker IS NOT NULL;
CREATE INDEX jobs_started ON SPACE.jobs (flow, started_at);
CREATE INDEX jobs_ended ON SPACE.jobs (ended_at) WHERE ended_at IS NOT NULL;
CREATE TABLE SPACE.steps (
  job text NOT NULL, name text NOT NULL, state text NOT NULL, attempts integer NOT NULL,
  started_at bigint NOT NULL, ended_at bigint, due_at bigint, error text, value text,
  PRIMARY KEY (job, name));
CREATE TABLE SPACE.signals (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE, job text NOT NULL, topic text NOT NULL, value text NOT NULL);
CREATE INDEX signals_by_job ON SPACE.signals (job, topic, seq);
`;

const functions = `
CREATE TABLE IF NOT EXISTS SPACE.counted (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL, member text NOT NULL, counted_at bigint NOT NULL, UNIQUE (key, member));
CREATE INDEX IF NOT EXISTS counted_by_age ON SPACE.counted (counted_at);

CREATE OR REPLACE FUNCTION SPACE.now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- Whoever changes what waits under a key holds its lock: sequence numbers of one key become visible in their order.
CREATE OR REPLACE FUNCTION SPACE.lock_lane(the_flow text, the_key text) RETURNS void LANGUAGE sql AS
$$ SELECT pg_advisory_xact_lock(hashtextextended('CHANNEL' || chr(10) || the_flow || chr(10) || the_key, 0)) $$;

CREATE OR REPLACE FUNCTION SPACE.lock_lanes(flows text[], keys text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE lane record;
BEGIN
  FOR lane IN SELECT DISTINCT f, k FROM unnest(flows, keys) AS u(f, k) WHERE k IS NOT NULL ORDER BY f, k LOOP
    PERFORM SPACE.lock_lane(lane.f, lane.k);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION SPACE.has_room(the_flow text, the_key text, the_width integer) RETURNS boolean LANGUAGE sql AS
$$ SELECT count(*) < the_width FROM SPACE.jobs WHERE flow = the_flow AND key = the_key AND is_ready $$;

-- Lets the next of each key come up, for lanes that are locked.
CREATE OR REPLACE FUNCTION SPACE.advance(flows text[], keys text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE lane record; next record;
BEGIN
  FOR lane IN SELECT DISTINCT f, k FROM unnest(flows, keys) AS u(f, k) WHERE k IS NOT NULL ORDER BY f, k LOOP
    LOOP
      SELECT seq, width INTO next FROM SPACE.jobs
        WHERE flow = lane.f AND key = lane.k AND NOT is_ready AND state = 'queued' ORDER BY turn LIMIT 1;
      EXIT WHEN NOT FOUND OR NOT SPACE.has_room(lane.f, lane.k, next.width);
      UPDATE SPACE.jobs SET is_ready = true WHERE seq = next.seq;
    END LOOP;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION SPACE.add_jobs(
  ids text[], flows text[], keys text[], widths integer[], inputs text[], times bigint[]
) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE job record; place boolean; added text; has_added boolean := false;
BEGIN
  PERFORM SPACE.lock_lanes(flows, keys);
  FOR job IN SELECT * FROM unnest(ids, flows, keys, widths, inputs, times) WITH ORDINALITY AS u(i, f, k, w, d, t, n) ORDER BY n LOOP
    place := job.k IS NULL OR (SPACE.has_room(job.f, job.k, job.w) AND NOT EXISTS (
      SELECT FROM SPACE.jobs WHERE flow = job.f AND key = job.k AND NOT is_ready AND state = 'queued'));
    INSERT INTO SPACE.jobs (id, flow, key, width, state, is_ready, turn, input, created_at)
      VALUES (job.i, job.f, job.k, job.w, 'queued', place, nextval('SPACE.turns'), job.d, job.t)
      ON CONFLICT (id) DO NOTHING RETURNING id INTO added;
    IF FOUND THEN has_added := true; RETURN NEXT added; END IF;
  END LOOP;
  IF has_added THEN PERFORM pg_notify('CHANNEL', 'ready'); END IF;
END $$;

-- The rate counts beginnings: a job that has begun before goes on without regard to it.
CREATE OR REPLACE FUNCTION SPACE.claim(
  me bigint, the_flows text[], most integer, rate_limit integer, rate_ms bigint
) RETURNS SETOF SPACE.jobs LANGUAGE plpgsql AS $$
DECLARE starts integer := most; resumed integer := 0;
BEGIN
  PERFORM FROM SPACE.workers WHERE id = me FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  IF rate_limit IS NOT NULL THEN
    RETURN QUERY UPDATE SPACE.jobs SET worker = me WHERE seq IN (
      SELECT seq FROM SPACE.jobs
      WHERE is_ready AND worker IS NULL AND state = 'running' AND flow = ANY (the_flows)
      ORDER BY turn LIMIT most FOR UPDATE SKIP LOCKED) RETURNING *;
    GET DIAGNOSTICS resumed = ROW_COUNT;
    PERFORM pg_advisory_xact_lock(hashtextextended('CHANNEL rate ' || the_flows[1], 1));
    SELECT least(most - resumed, rate_limit - count(*)) INTO starts FROM SPACE.jobs
      WHERE flow = the_flows[1] AND started_at > SPACE.now_ms() - rate_ms;
    IF starts <= 0 THEN RETURN; END IF;
  END IF;
  RETURN QUERY UPDATE SPACE.jobs SET worker = me, state = 'running', started_at = coalesce(started_at, SPACE.now_ms())
    WHERE seq IN (
      SELECT seq FROM SPACE.jobs
      WHERE is_ready AND worker IS NULL AND state IN ('queued', 'running') AND flow = ANY (the_flows)
        AND (rate_limit IS NULL OR state = 'queued')
      ORDER BY turn LIMIT starts FOR UPDATE SKIP LOCKED)
    RETURNING *;
END $$;

CREATE OR REPLACE FUNCTION SPACE.step_rank(the_state text) RETURNS integer LANGUAGE sql IMMUTABLE AS
$$ SELECT array_position(ARRAY['started', 'waiting', 'failed', 'done'], the_state) $$;

CREATE OR REPLACE FUNCTION SPACE.put_steps(
  me bigint, the_jobs text[], names text[], states text[], tries integer[], starts bigint[], ends bigint[],
  dues bigint[], errors text[], vals text[]
) RETURNS SETOF text LANGUAGE sql AS $$
  WITH own AS (
    SELECT id FROM SPACE.jobs WHERE id = ANY (the_jobs) AND worker = me AND state = 'running' ORDER BY id FOR SHARE),
  put AS (
    INSERT INTO SPACE.steps
      SELECT u.* FROM unnest(the_jobs, names, states, tries, starts, ends, dues, errors, vals) AS u(j) JOIN own ON own.id = u.j
      ON CONFLICT (job, name) DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
        started_at = excluded.started_at, ended_at = excluded.ended_at, due_at = excluded.due_at,
        error = excluded.error, value = excluded.value
        -- A statement that arrives late, after the one that repeated it, takes nothing back.
        WHERE (excluded.attempts, SPACE.step_rank(excluded.state)) >= (steps.attempts, SPACE.step_rank(steps.state)))
  SELECT id FROM own
$$;

-- Takes the oldest signal and notes it as the end of the step. Asked again after its answer was lost, it answers the same.
CREATE OR REPLACE FUNCTION SPACE.take_signal(
  me bigint, the_job text, the_topic text, step text, tries integer, began bigint, ended bigint
) RETURNS TABLE (is_mine boolean, taken text) LANGUAGE plpgsql AS $$
DECLARE got text;
BEGIN
  PERFORM FROM SPACE.jobs WHERE id = the_job AND worker = me AND state = 'running' FOR SHARE;
  IF NOT FOUND THEN RETURN QUERY SELECT false, NULL::text; RETURN; END IF;
  SELECT value INTO got FROM SPACE.steps s WHERE s.job = the_job AND s.name = step AND s.state = 'done';
  IF NOT FOUND THEN
    DELETE FROM SPACE.signals WHERE seq = (
      SELECT min(seq) FROM SPACE.signals s WHERE s.job = the_job AND s.topic = the_topic)
      RETURNING '[' || value || ']' INTO got;
    IF got IS NOT NULL THEN
      INSERT INTO SPACE.steps (job, name, state, attempts, started_at, ended_at, value)
        VALUES (the_job, step, 'done', tries, began, ended, got)
        ON CONFLICT (job, name) DO UPDATE SET state = 'done', ended_at = excluded.ended_at, due_at = NULL, value = excluded.value;
    END IF;
  END IF;
  RETURN QUERY SELECT true, got;
END $$;

CREATE OR REPLACE FUNCTION SPACE.finish_jobs(
  me bigint, ids text[], states text[], results text[], errors text[], ends bigint[]
) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE flows text[]; keys text[]; done text[];
BEGIN
  SELECT array_agg(flow), array_agg(key) INTO flows, keys FROM SPACE.jobs WHERE id = ANY (ids) AND worker = me AND key IS NOT NULL;
  PERFORM SPACE.lock_lanes(flows, keys);
  WITH changed AS (
    UPDATE SPACE.jobs j SET state = u.s, result = u.r, error = u.e, ended_at = u.t, worker = NULL, is_ready = false
    FROM unnest(ids, states, results, errors, ends) AS u(i, s, r, e, t)
    WHERE j.id = u.i AND j.worker = me AND j.state = 'running' RETURNING j.id)
  SELECT array_agg(id) INTO done FROM changed;
  PERFORM SPACE.advance(flows, keys);
  IF done IS NOT NULL THEN PERFORM SPACE.tell_ended(done); END IF;
  RETURN QUERY SELECT unnest(done);
END $$;

-- Other programs may wait for the end of a job that they have started.
CREATE OR REPLACE FUNCTION SPACE.tell_ended(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM SPACE.workers) > 1 THEN
    PERFORM pg_notify('CHANNEL', 'ended ' || id) FROM unnest(ids) AS id WHERE octet_length(id) < 7900;
  END IF;
END $$;

-- Hands jobs back: others go on with them, and cancelled ones make room.
CREATE OR REPLACE FUNCTION SPACE.release_jobs(me bigint, ids text[]) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE flows text[]; keys text[]; released integer;
BEGIN
  SELECT array_agg(flow), array_agg(key) INTO flows, keys FROM SPACE.jobs WHERE id = ANY (ids) AND worker = me AND key IS NOT NULL;
  PERFORM SPACE.lock_lanes(flows, keys);
  UPDATE SPACE.jobs SET worker = NULL, is_ready = state IN ('queued', 'running') WHERE id = ANY (ids) AND worker = me;
  GET DIAGNOSTICS released = ROW_COUNT;
  PERFORM SPACE.advance(flows, keys);
  IF released > 0 THEN PERFORM pg_notify('CHANNEL', 'ready'); END IF;
  RETURN released;
END $$;

-- Takes a worker out of the list and hands its jobs back, in one: what it writes later is refused.
CREATE OR REPLACE FUNCTION SPACE.dismiss(the_worker bigint, last_beat bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE left_jobs text[];
BEGIN
  DELETE FROM SPACE.workers WHERE id = the_worker AND (beat = last_beat OR last_beat IS NULL);
  IF NOT FOUND THEN RETURN 0; END IF;
  SELECT array_agg(id) INTO left_jobs FROM SPACE.jobs WHERE worker = the_worker;
  RETURN SPACE.release_jobs(the_worker, left_jobs);
END $$;

CREATE OR REPLACE FUNCTION SPACE.cancel_job(the_id text, ended bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE job record;
BEGIN
  SELECT flow, key INTO job FROM SPACE.jobs WHERE id = the_id;
  PERFORM SPACE.lock_lanes(ARRAY[job.flow], ARRAY[job.key]);
  UPDATE SPACE.jobs SET state = 'cancelled', ended_at = ended, is_ready = worker IS NOT NULL
    WHERE id = the_id AND state IN ('queued', 'running');
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM SPACE.advance(ARRAY[job.flow], ARRAY[job.key]);
  IF octet_length(the_id) < 7900 THEN PERFORM pg_notify('CHANNEL', 'cancelled ' || the_id); END IF;
  RETURN true;
END $$;

-- To the end of its line: others of its key may have come up meanwhile.
CREATE OR REPLACE FUNCTION SPACE.retry_job(the_id text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE job record;
BEGIN
  SELECT flow, key INTO job FROM SPACE.jobs WHERE id = the_id;
  PERFORM SPACE.lock_lanes(ARRAY[job.flow], ARRAY[job.key]);
  UPDATE SPACE.jobs SET state = 'queued', ended_at = NULL, error = NULL, is_ready = key IS NULL, turn = nextval('SPACE.turns')
    WHERE id = the_id AND worker IS NULL AND state IN ('failed', 'cancelled');
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM SPACE.steps WHERE steps.job = the_id AND state <> 'done';
  PERFORM SPACE.advance(ARRAY[job.flow], ARRAY[job.key]);
  PERFORM pg_notify('CHANNEL', 'ready');
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION SPACE.send_signal(the_id text, the_job text, the_topic text, the_value text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO SPACE.signals (id, job, topic, value) VALUES (the_id, the_job, the_topic, the_value) ON CONFLICT (id) DO NOTHING;
  IF octet_length(the_job) < 7900 THEN PERFORM pg_notify('CHANNEL', 'signal ' || the_job); END IF;
END $$;

-- Counts a member once. Under the lock of its key the order of counting is the order in which it becomes visible.
CREATE OR REPLACE FUNCTION SPACE.count_member(the_key text, the_member text, age_ms bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM SPACE.lock_lane('counted', the_key);
  INSERT INTO SPACE.counted (key, member, counted_at) VALUES (the_key, the_member, SPACE.now_ms() - age_ms) ON CONFLICT DO NOTHING;
  DELETE FROM SPACE.counted WHERE seq IN (
    SELECT seq FROM SPACE.counted WHERE counted_at < SPACE.now_ms() - 86400000 LIMIT 100 FOR UPDATE SKIP LOCKED);
END $$;

-- How many members were counted up to one and with it; all of them when it is not among them.
CREATE OR REPLACE FUNCTION SPACE.place_of(the_key text, the_member text, within_ms bigint) RETURNS bigint LANGUAGE sql AS $$
  WITH recent AS (
    SELECT * FROM SPACE.counted WHERE key = the_key AND counted_at > SPACE.now_ms() - within_ms),
  own AS (SELECT * FROM recent WHERE member = the_member)
  SELECT count(*) FROM recent r LEFT JOIN own ON true
    WHERE own.seq IS NULL OR (r.counted_at, r.seq) <= (own.counted_at, own.seq)
$$;

CREATE OR REPLACE FUNCTION SPACE.prune(ended_before bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE gone text[];
BEGIN
  WITH deleted AS (DELETE FROM SPACE.jobs WHERE ended_at < ended_before AND worker IS NULL RETURNING id)
  SELECT array_agg(id) INTO gone FROM deleted;
  DELETE FROM SPACE.steps WHERE job = ANY (gone);
  DELETE FROM SPACE.signals WHERE job IN (SELECT id FROM SPACE.jobs WHERE state NOT IN ('queued', 'running')) OR job = ANY (gone);
  RETURN coalesce(cardinality(gone), 0);
END $$;

-- All or nothing, and what is there already is left as it is. A value may hold what jsonb cannot: it travels as text in JSON.
CREATE OR REPLACE FUNCTION SPACE.import_jobs(jobs json, steps json, signals json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE flows text[]; keys text[];
BEGIN
  WITH added AS (
    INSERT INTO SPACE.jobs (id, flow, key, width, state, is_ready, turn, input, result, error, created_at, started_at, ended_at)
      SELECT id, flow, key, 1, CASE WHEN key IS NOT NULL AND state = 'running' THEN 'queued' ELSE state END,
        key IS NULL AND state IN ('queued', 'running'), nextval('SPACE.turns'), input, result, error, created_at, started_at, ended_at
      FROM (SELECT * FROM json_to_recordset(jobs) AS j(seq bigint, id text, flow text, key text, state text, input text, result text,
        error text, created_at bigint, started_at bigint, ended_at bigint) ORDER BY seq) AS j
      ON CONFLICT (id) DO NOTHING RETURNING id, flow, key)
  SELECT array_agg(flow), array_agg(key) INTO flows, keys FROM added;
  INSERT INTO SPACE.steps SELECT * FROM json_to_recordset(steps) AS s(job text, name text, state text, attempts integer,
    started_at bigint, ended_at bigint, due_at bigint, error text, value text) ON CONFLICT DO NOTHING;
  INSERT INTO SPACE.signals (id, job, topic, value) SELECT id, job, topic, value FROM json_to_recordset(signals)
    AS s(seq bigint, id text, job text, topic text, value text) ORDER BY seq ON CONFLICT DO NOTHING;
  PERFORM SPACE.lock_lanes(flows, keys);
  PERFORM SPACE.advance(flows, keys);
  PERFORM pg_notify('CHANNEL', 'ready');
END $$;
`;
