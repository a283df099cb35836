/** Why an offered version is not installed. */
export const refusalReasons = [
  /** The channel file is not signed by a key of this build. */
  'unsigned',
  /** Its signature is valid, but it is older than its expiry date. */
  'expired',
  /** Its signature is valid, but its date is more than a day ahead: the clock of the signer or of this PC is wrong. */
  'future',
  /** Its signature is valid, but a file that was signed later has replaced it. */
  'replaced',
  /** Its signature is valid, but this version does not understand it. */
  'unreadable',
  /** It offers a version below the installed one. */
  'older',
  /** The offered version cannot read the payment log of this version. */
  'payment-log',
  /** The offered version cannot use the shared payment log as it is. */
  'shared-log',
  /** The downloaded file is not the signed one. */
  'damaged',
  /** The system's check of the file's publisher failed. */
  'publisher',
  /** The server redirects to another server. */
  'redirected',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];
