/**
 * Schema version 6: nothing derived. Each console keeps its own list of payments; version 2 had one for all, which any
 * account could write. Run as 0001-chains.ts. Never changed after a release.
 */
export const noListSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

DROP TABLE IF EXISTS list, projected, payment, facet, facet_count, listed, searched, payment_flag, payment_id, movement,
  review, day;
DROP INDEX IF EXISTS event_note, event_activity, event_request, event_without_order;
UPDATE log SET schema_version = 6;
`;
