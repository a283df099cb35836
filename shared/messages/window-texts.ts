/**
 * The messages that only main formats: texts of exported files and printed pages. The window's catalogues are built
 * without them, so that its first screen does not load them.
 */
const printedOnly =
  /^(?:statement|printed|dossier\.(?:says|claim|status|movement|customer|event|state|proof)|export\.(?:column|evidence|totals|about|sheet|figures|filter))\./;

export const isPrintedOnly = (key: string): boolean => printedOnly.test(key);

/**
 * The messages that the first screen does not show: those of other screens, and of requests that they send. The window
 * loads them right after its first screen.
 */
const afterFirstScreen =
  /^(?:activity|assumptions|background|base-url|callbacks|certificate|connection|custom-scripts|data|extra|fault|forward|handover-note|inspect|inspection|integrity|keychain|look-up|meaning|overview|parameter|payment-log|policy|profile|quarantine|receiver|reconciliation|sandbox|signature|status-means|transfer|update)\./;
/** Messages of these groups that the frame around all screens shows. */
const inFrame =
  /^(?:look-up\.(?:now|asking|never)$|profile\.(?:switch|kind|money\.|add$)|data\.(?:checking|file|restore\.file)$|receiver\.(?:on|off|bad|tooltip)$|update\.(?:title|ready|restart))/;

export const isAfterFirstScreen = (key: string): boolean => afterFirstScreen.test(key) && !inFrame.test(key);
