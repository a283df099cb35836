/**
 * Schema version 9: the saved views that everyone of a team sees. Run as 0001-chains.ts. Never changed after a release.
 */
export const viewsSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

INSERT INTO revision (kind) VALUES ('view') ON CONFLICT DO NOTHING;

-- One row: the list as JSON, in its order. One version covers all views, because their order and names concern the list.
CREATE TABLE shared_views (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  body text NOT NULL DEFAULT '[]' CHECK (length(body) < 100000 AND jsonb_typeof(body::jsonb) = 'array'
    AND jsonb_array_length(body::jsonb) <= 20),
  version integer NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by text NOT NULL DEFAULT ''
);
INSERT INTO shared_views DEFAULT VALUES;

-- Replaces version 'was' of the list. Returns the new version; 0 if it is no longer the one that was read, or another
-- account holds it.
CREATE FUNCTION shared_views_put_1(was integer, new_body text, person text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = :schema, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  made integer;
BEGIN
  UPDATE shared_views SET body = new_body, version = version + 1, changed_at = now(), changed_by = left(person, 200)
    WHERE version = was RETURNING version INTO made;
  IF made IS NULL THEN RETURN 0; END IF;
  UPDATE revision SET number = number + 1 WHERE kind = 'view';
  RETURN made;
EXCEPTION WHEN lock_not_available THEN RETURN 0;
END $$;

REVOKE ALL ON FUNCTION shared_views_put_1 FROM PUBLIC;
GRANT SELECT ON shared_views TO :schema_desk;
GRANT EXECUTE ON FUNCTION shared_views_put_1 TO :schema_desk;
UPDATE log SET schema_version = 9;
`;
