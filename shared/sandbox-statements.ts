/** The statements of the sandbox's payments that can be written, without schemas. */
export const statementDialects = ['provider', 'acquirer', 'bank'] as const;
export type StatementDialect = (typeof statementDialects)[number];

/** The end of the file's name. */
export const statementExtensions: Readonly<Record<StatementDialect, string>> = {
  provider: 'csv',
  acquirer: 'csv',
  bank: 'xml',
};
