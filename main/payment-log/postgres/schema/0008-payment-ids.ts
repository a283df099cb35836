/**
 * Schema version 8: events are found by payment id, for consoles that keep the payments of some months only. Building the
 * index holds up appends for seconds. Run as 0001-chains.ts. Never changed after a release.
 */
export const paymentIdsSchema = `
SET LOCAL ROLE :schema_owner;
SET LOCAL search_path = :schema, pg_temp;

CREATE INDEX event_payment_id ON event (payment_id) WHERE payment_id IS NOT NULL;
UPDATE log SET schema_version = 8;
`;
