/**
 * Schema version 4: who looks at which payment now. Run as 0001-chains.ts. Never changed after a release.
 */
export const desksSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

-- Worth nothing after a crash, so it is not in the write-ahead log.
CREATE UNLOGGED TABLE presence (
  writer text PRIMARY KEY,
  profile_id text NOT NULL,
  order_number text NOT NULL,
  agent text NOT NULL,
  until timestamptz NOT NULL
);

-- An installation shows a payment to a person for the given milliseconds from now (no order: none any more); returns
-- who else looks at it.
CREATE FUNCTION presence_1(chain text, profile text, number text, person text, milliseconds integer)
  RETURNS TABLE (label text, agent text)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM writer w WHERE w.name = chain AND w.role = session_user;
  IF NOT FOUND THEN RETURN; END IF;
  IF number IS NULL THEN
    DELETE FROM presence p WHERE p.writer = chain;
    RETURN;
  END IF;
  INSERT INTO presence (writer, profile_id, order_number, agent, until)
    VALUES (chain, profile, number, person, clock_timestamp() + milliseconds * interval '1 millisecond')
    ON CONFLICT (writer) DO UPDATE SET profile_id = EXCLUDED.profile_id, order_number = EXCLUDED.order_number,
      agent = EXCLUDED.agent, until = EXCLUDED.until;
  RETURN QUERY SELECT w.label, p.agent FROM presence p JOIN writer w ON w.name = p.writer
    WHERE p.profile_id = profile AND p.order_number = number AND p.writer <> chain AND p.until > clock_timestamp()
    ORDER BY 1, 2 LIMIT 20;
END $$;

REVOKE ALL ON FUNCTION presence_1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION presence_1 TO :schema_desk;
UPDATE log SET schema_version = 4;
`;
