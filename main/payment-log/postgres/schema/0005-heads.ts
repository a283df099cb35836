/**
 * Schema version 5: signed heads of the installations, which bear witness to all chains. Run as 0001-chains.ts. Never
 * changed after a release.
 */
export const headsSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

-- A copy: the installation that signed it keeps its own. witness: the name of its chain.
CREATE TABLE head (
  day date NOT NULL,
  witness text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (day, witness)
);

-- Stores today's head of the chain's installation, once; of eight installations a day at most. Returns whether the day
-- has it.
CREATE FUNCTION witness_1(chain text, signed text) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
BEGIN
  PERFORM FROM writer w WHERE w.name = chain AND w.role = session_user;
  IF NOT FOUND OR length(signed) > 1000000 THEN RETURN false; END IF;
  INSERT INTO head (day, witness, body)
    SELECT today, chain, signed WHERE (SELECT count(*) FROM head h WHERE h.day = today) < 8
    ON CONFLICT DO NOTHING;
  RETURN EXISTS (SELECT FROM head h WHERE h.day = today AND h.witness = chain);
END $$;

REVOKE ALL ON FUNCTION witness_1 FROM PUBLIC;
GRANT SELECT ON head TO :schema_desk, :schema_intake, :schema_keeper, :schema_auditor;
GRANT EXECUTE ON FUNCTION witness_1 TO :schema_desk, :schema_intake, :schema_keeper;
UPDATE log SET schema_version = 5;
`;
