/**
 * The messages that only main formats: texts of exported files and printed pages. The window's catalogues are built
 * without them, so that its first screen does not load them.
 */
const printedOnly =
  /^(?:statement|printed|dossier\.(?:says|claim|status|movement|customer|event|state|proof)|export\.(?:column|evidence|totals|about|sheet|figures|filter))\./;

export const isPrintedOnly = (key: string): boolean => printedOnly.test(key);
