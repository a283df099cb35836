/** The database decides who sends an operation, or a link for an order number. See `schema.ts`. */
export const operationsSchema = `
-- What an account is sending or has just sent. Only the functions read it.
CREATE TABLE operation (
  nr bigint GENERATED ALWAYS AS IDENTITY,
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  role name NOT NULL,
  writer text NOT NULL,
  -- The end of that chain, as its journal had it: who has it too is the same installation, after a crash.
  seq bigint NOT NULL,
  hash text NOT NULL CHECK (length(hash) <= 64),
  -- The gateway account, hashed.
  account text NOT NULL CHECK (length(account) <= 64),
  -- What it is about: no two with a common subject at once.
  subjects text[] NOT NULL CHECK (cardinality(subjects) BETWEEN 1 AND 3 AND length(subjects::text) <= 900),
  person text NOT NULL CHECK (length(person) <= 64),
  agent text NOT NULL CHECK (length(agent) <= 200),
  currency text NOT NULL CHECK (length(currency) <= 10),
  -- Minor units that count for the person's day. Null: not known.
  minor numeric CHECK (minor BETWEEN 0 AND 1e30),
  begun_at timestamptz NOT NULL,
  -- Until when it keeps others from sending.
  until timestamptz NOT NULL,
  is_sent boolean NOT NULL DEFAULT false
);
CREATE INDEX operation_until ON operation (account, until);
CREATE INDEX operation_role ON operation (role, begun_at);

-- Stores what an account is about to send, once. It waits for no other account, so that an open transaction keeps none
-- out: 'operation_rival_1' decides afterwards, when this row is committed. A row holds for five minutes at most,
-- and an account holds one subject for 15 minutes of a day. False: not one's own chain, or too many.
CREATE FUNCTION operation_begin_1(chain text, last_seq bigint, last_hash text, one text, of_account text, about text[],
  who text, agent_name text, in_currency text, amount numeric) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  held interval;
BEGIN
  PERFORM FROM writer w WHERE w.name = chain AND w.role = session_user;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM operation o WHERE o.role = session_user AND o.begun_at < moment - interval '2 days';
  IF (SELECT count(*) >= 20000 OR count(*) FILTER (WHERE o.until > moment) >= 200 FROM operation o WHERE o.role = session_user)
    THEN RETURN false; END IF;
  SELECT sum(least(o.until, moment) - o.begun_at) INTO held FROM operation o
    WHERE o.role = session_user AND o.account = of_account AND o.subjects && about AND o.begun_at > moment - interval '1 day';
  held := interval '15 minutes' - coalesce(held, interval '0');
  IF held <= interval '0' THEN RETURN false; END IF;
  INSERT INTO operation (id, role, writer, seq, hash, account, subjects, person, agent, currency, minor, begun_at, until)
    VALUES (one, session_user, chain, last_seq, last_hash, of_account, about, who, agent_name, in_currency, amount, moment,
      moment + least(held, interval '5 minutes'))
    ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;

-- Who else sends something with a common subject, the one that decides first; no row: none does. 'seen': what the
-- person insists about. 'known': what the caller has evidence of; what was sent is in its evidence then. Of two that were
-- committed before either asked, at least one sees the other.
CREATE FUNCTION operation_rival_1(one text, seen text[], known text[])
  RETURNS TABLE (id text, writer text, seq bigint, hash text, agent text, installation text, at bigint, currency text,
    minor text, "isFirst" boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT o.id, o.writer, o.seq, o.hash, o.agent, coalesce(w.label, o.writer),
    (extract(epoch FROM o.begun_at) * 1000)::bigint, o.currency, o.minor::text, o.is_sent OR o.nr < m.nr
    FROM operation m
    JOIN operation o ON o.account = m.account AND o.until > clock_timestamp() AND o.subjects && m.subjects AND o.id <> m.id
    LEFT JOIN writer w ON w.name = o.writer
    WHERE m.id = one AND m.role = session_user AND o.id <> ALL (seen)
      AND NOT (o.id = ANY (known) AND (o.is_sent OR o.role = session_user))
    ORDER BY 10 DESC, o.nr LIMIT 1
$$;

-- What a person sent at other accounts since a time (milliseconds), minor units; null: one amount is not known. Where the
-- person has a PIN, only accounts count to which it was once entered: no account uses up the limit of a stranger.
CREATE FUNCTION operation_spent_1(of_account text, who text, in_currency text, since bigint) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  SELECT CASE WHEN count(*) = count(o.minor) THEN coalesce(sum(o.minor), 0)::text END FROM operation o
    LEFT JOIN agent a ON a.id::text = who
    WHERE o.account = of_account AND o.person = who AND o.currency = in_currency AND o.role <> session_user
      AND o.begun_at >= to_timestamp(since / 1000.0)
      AND (a.pin_hash IS NULL OR EXISTS (SELECT FROM agent_attempt t
        WHERE t.agent = a.id AND t.role = o.role AND t.admitted = a.pin_version))
$$;

-- What became of it: sent, then it still holds for a minute, until the others have the evidence; or not carried out,
-- then it holds and counts no more.
CREATE FUNCTION operation_end_1(one text, sent boolean) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
  UPDATE operation o SET is_sent = sent, minor = CASE WHEN sent THEN o.minor ELSE 0 END,
    until = least(o.until, clock_timestamp() + CASE WHEN sent THEN interval '1 minute' ELSE interval '0' END)
    WHERE o.id = one AND o.role = session_user
$$;
`;
