/**
 * The messages that only main formats: texts of exported files and printed pages. The window's catalogues are built
 * without them, so that its first screen does not load them.
 */
const printedOnly =
  /^(?:statement|printed|menu|return-page|dossier\.(?:says|claim|status|movement|customer|event|state|proof)|export\.(?:column|evidence|totals|about|sheet|figures|filter))\./;

export const isPrintedOnly = (key: string): boolean => printedOnly.test(key);

/**
 * The messages that the first screen does not show: those of other screens, and of requests that they send. The window
 * loads them right after its first screen.
 */
const afterFirstScreen =
  /^(?:activity|health|intake|views|alert|alert-choice|assumptions|backup|background|base-url|callbacks|certificate|charge|charge-form|compare|connection|custom-scripts|data|automatic-look-ups|movement|dry-run|event|extra|fault|forward|handover-note|inspect|inspection|integrity|keychain|look-up|ledger|meaning|operation|operation-form|operation-line|operation-reason|outside|overview|parameter|payment-log|policy|profile|quarantine|receiver|recipe|record|refund-run|reconciliation|sandbox|series|sharing|signature|spell|status-means|transfer|update|drafts|shortcut|templates|customer|same-intent|duplicate|new-link|payment\.same-intent|scheduled-export|results|team|dossier|log-verify|month-end|statement-file|agree)\./;
/** Messages of these groups that the frame around all screens shows. */
const inFrame =
  /^(?:look-up\.(?:now|asking|never)$|profile\.(?:switch|kind|money\.|add$)|data\.(?:checking|file|restore\.file)$|drafts\.name$|month-end\.report$|receiver\.(?:on|off|bad|tooltip)$|update\.(?:title|ready|restart)|views\.manage$|record\.open$|ledger\.not-here$|team\.(?:tooltip|state|others|at|look|broken)|dossier\.(?:name|proven|unproven)$|operation\.(?:open|no|cancel-until|held-until|approved-by|(?:refund|void|capture|recurring|retry|chargeback)$))/;

export const isAfterFirstScreen = (key: string): boolean => afterFirstScreen.test(key) && !inFrame.test(key);
