/** Names of what statements contain, without schemas: the window uses them without loading a schema library. */

/** What a line is about. `other`: money that is no payment, such as a reserve or the rent. */
export const lineKinds = ['sale', 'refund', 'chargeback', 'payout', 'fee', 'other'] as const;
export type LineKind = (typeof lineKinds)[number];

/** The kinds of lines that are matched with movements. A cancellation counts as a refund. */
export const paymentLineKinds = ['sale', 'refund', 'chargeback'] as const satisfies readonly LineKind[];
export type PaymentLineKind = (typeof paymentLineKinds)[number];

/** How a line was matched, strongest first. `person`: a person tied it. */
export const matchRules = [
  'person',
  'rrn',
  'payment-id',
  'approval',
  'order-number',
  'order-in-text',
  'amount-day-card',
] as const;
export type MatchRule = (typeof matchRules)[number];

/** What a column contains. `reference`: a payment id, RRN or any other reference of the provider. */
export const columnRoles = [
  'ignored',
  'record',
  'order',
  'reference',
  'approval',
  'card',
  'kind',
  'status',
  'day',
  'time',
  'settled',
  'zone',
  'direction',
  'amount',
  'debit',
  'credit',
  'fee',
  'net',
  'net-debit',
  'net-credit',
  'currency',
  'batch',
  'text',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** How numbers are written: with a decimal point, with a decimal comma, or as whole minor units. */
export const numberForms = ['point', 'comma', 'minor'] as const;
export type NumberForm = (typeof numberForms)[number];
/** The order of day, month and year. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/**
 * What a movement here is in the statements of its month. `outside`: the known money of payments with an unknown
 * amount, which the overview's net leaves out.
 */
export const movementStandings = ['agreed', 'different', 'onlyHere', 'elsewhere', 'outside'] as const;

export const statementFormats = ['csv', 'xlsx', 'camt', 'mt940'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** The name of a column in a mapping: its heading, or its number where it has none. */
export const columnName = (heading: string | undefined, index: number): string =>
  heading === undefined || heading.trim() === '' ? `#${index + 1}` : heading.trim();

/** Rows of each list that the window gets; the report has all. */
export const maxShownRows = 500;
/** Limit of what a person writes about a line, characters. */
export const maxDecisionText = 500;
