import { spellingsOfId } from '../../../../../shared/payment-reducer/evidence/payment-id.ts';
import type { PaymentRow } from '../../../../../shared/payments/payment.ts';
import { readRow } from '../../../projection/packed-row.ts';
import type { LogDatabase } from '../../store/database.ts';

/** A payment of the list with its row. */
export type Listed = { payment: number; row: PaymentRow };

/** A join that leads from a customer's payment to another one: recorded with `orderNumber`, it names `otherOrder`. */
type FoundJoin = {
  id: string;
  agent: string;
  at: number;
  orderNumber: string;
  otherOrder: string;
  other: number;
};

type StoredRow = { payment: number; row: string };

const listed = ({ payment, row }: StoredRow): Listed => ({ payment, row: readRow(row) });

/** The reads of the index of customers. Each is a range of an index; `entry`: a key as the index has it. */
export const customerStatements = (database: LogDatabase) => {
  const paymentOf = database
    .prepare<[string, string], number>('SELECT id FROM payment WHERE order_number = ? AND profile_id = ?')
    .pluck();
  const row = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  const hasEntry = database
    .prepare<[string, number], number>('SELECT 1 FROM customer_key WHERE key = ? AND payment = ?')
    .pluck();
  const paymentsOfId = database
    .prepare<[string, string, string], number>(
      'SELECT payment FROM payment_id WHERE payment_id IN (?, ?, ?) ORDER BY payment',
    )
    .pluck();
  const payments = database.prepare<[string, number], StoredRow>(
    `SELECT k.payment, l."row" AS row FROM customer_key k CROSS JOIN listed l ON l.payment = k.payment
     WHERE k.key = ? ORDER BY k.payment DESC LIMIT ?`,
  );
  const withAmount = database.prepare<[string, number], StoredRow>(
    `SELECT k.payment, l."row" AS row FROM customer_key k CROSS JOIN listed l ON l.payment = k.payment
     WHERE k.key = ? AND l.amount = ? ORDER BY k.payment DESC`,
  );
  const count = database.prepare<[string], number>('SELECT count(*) FROM customer_key WHERE key = ?').pluck();
  const firstSince = database
    .prepare<[number], number | null>('SELECT min(low) FROM day WHERE day >= ?')
    .pluck();
  const hasJoins = database.prepare<[], number>('SELECT 1 FROM customer_join LIMIT 1').pluck();
  const joins = database.prepare<[string, string], FoundJoin>(
    `SELECT j.event AS id, j.agent, j.at, p.order_number AS orderNumber, j.other_order AS otherOrder, o.id AS other
     FROM customer_key k CROSS JOIN customer_join j ON j.payment = k.payment
       CROSS JOIN payment p ON p.id = j.payment
       CROSS JOIN payment o ON o.order_number = j.other_order AND o.profile_id = j.profile_id
     WHERE k.key = ?
     UNION ALL
     SELECT j.event, j.agent, j.at, p.order_number, j.other_order, j.payment
     FROM customer_key k CROSS JOIN payment o ON o.id = k.payment
       CROSS JOIN customer_join j ON j.other_order = o.order_number AND j.profile_id = o.profile_id
       CROSS JOIN payment p ON p.id = j.payment
     WHERE k.key = ?
     ORDER BY 3, 1`,
  );
  return {
    paymentOf: (profileId: string, orderNumber: string): number | undefined =>
      paymentOf.get(orderNumber, profileId),
    row: (payment: number): PaymentRow | null => {
      const text = row.get(payment);
      return text === undefined ? null : readRow(text);
    },
    hasEntry: (entry: string, payment: number): boolean => hasEntry.get(entry, payment) !== undefined,
    paymentsOfId: (paymentId: string): number[] => paymentsOfId.all(...spellingsOfId(paymentId)),
    /** Newest first. */
    payments: (entry: string, limit: number): Listed[] => payments.all(entry, limit).map(listed),
    /** Payments with this amount (minor units), newest first, read one by one. */
    *withAmount(entry: string, amount: number): Generator<Listed> {
      for (const row of withAmount.iterate(entry, amount)) yield listed(row);
    },
    count: (entry: string): number => count.get(entry) ?? 0,
    /** The first payment of a UTC day or later; null if there is none. */
    firstSince: (day: number): number | null => firstSince.get(day) ?? null,
    hasJoins: (): boolean => hasJoins.get() !== undefined,
    /** Oldest first. */
    joinsOf: (entry: string): FoundJoin[] => joins.all(entry, entry),
  };
};
