import type { StatementDialect } from '../../shared/sandbox-statements.ts';
import { decimalOf } from '../../shared/money/signed-amount.ts';

/** A statement of the sandbox's own payments, with one difference of each kind, to try the month end with. */

/** Money of one payment; what went back is negative. */
export type SandboxMovement = {
  kind: 'sale' | 'refund' | 'chargeback';
  orderNumber: string;
  paymentId: string;
  /** Minor units. */
  amount: bigint;
  currency: string;
  /** Milliseconds. */
  at: number;
  rrn: string | null;
  approval: string | null;
  /** The last four digits. */
  card: string | null;
};

type Row = Omit<SandboxMovement, 'amount'> & { gross: bigint; fee: bigint };

/** A fee as acquirers charge it: 1.4 percent and ten cents. */
const feeOf = (minor: bigint): bigint => (minor * 14n + 500n) / 1_000n + 10n;

/** The rows with a payment that is missing, one with another amount, one twice, and one that was never made. */
const withDifferences = (rows: readonly Row[]): Row[] => {
  const [, missing, other, twice] = rows.length > 3 ? rows : [];
  const rest = rows.filter(row => row !== missing);
  const last = rows.at(-1);
  return [
    ...rest.map(row => (row === other ? { ...row, gross: row.gross + 100n } : row)),
    ...(twice ? [twice] : []),
    ...(last
      ? [
          {
            ...last,
            kind: 'sale' as const,
            orderNumber: 'NOT-HERE-1',
            paymentId: '0d9c1f7a-7f2e-4a43-9d3c-5f1f6b0a0001',
            rrn: '999000111222',
            approval: '000001',
            card: '0001',
            gross: 4_200n,
            fee: feeOf(4_200n),
          },
        ]
      : []),
  ].toSorted((one, other) => one.at - other.at);
};

const stamp = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');
const dayOf = (at: number): string => stamp(at).slice(0, 10);

const provider = (rows: readonly Row[]): string => {
  const types = { sale: 'Settled', refund: 'Refunded', chargeback: 'Chargeback' };
  const sided = (minor: bigint, currency: string): string =>
    minor < 0n ? `${decimalOf(-minor, currency)},` : `,${decimalOf(minor, currency)}`;
  const lines = rows.map(
    ({ kind, paymentId, orderNumber, at, gross, fee, currency }) =>
      `Sandbox,${paymentId},${orderNumber},${stamp(at)},UTC,${types[kind]},${currency},${sided(gross, currency)},${decimalOf(fee, currency)},1`,
  );
  const currency = rows[0]?.currency ?? 'EUR';
  const net = rows.reduce((all, row) => all + row.gross - row.fee, 0n);
  return [
    [
      'Merchant Account',
      'Psp Reference',
      'Merchant Reference',
      'Creation Date',
      'TimeZone',
      'Type',
      'Gross Currency',
      'Gross Debit',
      'Gross Credit',
      'Commission',
      'Batch Number',
    ].join(','),
    ...lines,
    `Sandbox,,,${stamp(rows.at(-1)?.at ?? 0)},UTC,MerchantPayout,${currency},${decimalOf(net, currency)},,,1`,
  ].join('\r\n');
};

const acquirer = (rows: readonly Row[]): string => {
  const kinds = { sale: 'Kauf', refund: 'Gutschrift', chargeback: 'Rückbelastung' };
  const amount = (minor: bigint, currency: string): string =>
    decimalOf(minor, currency)
      .replace('.', ',')
      .replaceAll(/\B(?=(\d{3})+(?!\d))(?<!,\d*)/g, '.');
  const day = (at: number): string => dayOf(at).split('-').toReversed().join('.');
  return [
    'Händlerabrechnung;Sandbox',
    '',
    'Abrechnungsdatum;Umsatzdatum;Uhrzeit;Kartennummer;Genehmigung;ARN/RRN;Art;Brutto;Entgelt;Netto;Währung',
    ...rows.map(({ kind, at, card, approval, rrn, gross, fee, currency }) =>
      [
        day(at),
        day(at),
        stamp(at).slice(11, 16),
        card === null ? '' : `411111XXXXXX${card}`,
        approval ?? '',
        `'${rrn ?? ''}`,
        kinds[kind],
        amount(gross, currency),
        amount(-fee, currency),
        amount(gross - fee, currency),
        currency,
      ].join(';'),
    ),
  ].join('\r\n');
};

const bank = (rows: readonly Row[]): string => {
  const days = [...Map.groupBy(rows, ({ at, currency }) => `${dayOf(at)} ${currency}`)];
  const size = (minor: bigint, currency: string): string => decimalOf(minor < 0n ? -minor : minor, currency);
  const indicator = (minor: bigint): string => (minor < 0n ? 'DBIT' : 'CRDT');
  const entry = ([key, of]: [string, Row[]]): string => {
    const [day = '', currency = ''] = key.split(' ');
    const net = of.reduce((all, row) => all + row.gross - row.fee, 0n);
    const details = of.map(
      row =>
        `<TxDtls><Refs><AcctSvcrRef>${row.rrn ?? ''}</AcctSvcrRef><EndToEndId>${escapeXml(row.orderNumber)}</EndToEndId></Refs><Amt Ccy="${currency}">${size(row.gross, currency)}</Amt><CdtDbtInd>${indicator(row.gross)}</CdtDbtInd><Chrgs><TtlChrgsAndTaxAmt Ccy="${currency}">${size(row.fee, currency)}</TtlChrgsAndTaxAmt></Chrgs><RmtInf><Ustrd>CARD ${row.card ?? ''} ${row.kind.toUpperCase()}</Ustrd></RmtInf><RltdDts><TxDtTm>${new Date(row.at).toISOString()}</TxDtTm></RltdDts></TxDtls>`,
    );
    return `<Ntry><Amt Ccy="${currency}">${size(net, currency)}</Amt><CdtDbtInd>${indicator(net)}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><NtryDtls><Btch><NbOfTxs>${of.length}</NbOfTxs></Btch>${details.join('')}</NtryDtls></Ntry>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${days.map(entry).join('\n')}</Stmt></BkToCstmrStmt></Document>\n`;
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const writers = { provider, acquirer, bank } satisfies Record<
  StatementDialect,
  (rows: readonly Row[]) => string
>;

/** The statement as bytes, with the number of payments and returns in it. `acquirer` is in Latin-1, as acquirers send it. */
export const writeStatement = (
  movements: readonly SandboxMovement[],
  dialect: StatementDialect,
): { bytes: Buffer; payments: number } => {
  const rows = movements.map(({ amount, ...movement }): Row => ({
    ...movement,
    gross: amount,
    fee: movement.kind === 'sale' ? feeOf(amount) : 0n,
  }));
  const written = withDifferences(rows.toSorted((one, other) => one.at - other.at));
  const text = writers[dialect](written);
  return { bytes: Buffer.from(text, dialect === 'acquirer' ? 'latin1' : 'utf8'), payments: written.length };
};
