import { join } from 'node:path';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { reconciliationCauses, type ReconciliationCause } from '../../shared/reports/reconcile.ts';
import { callback } from '../evidence/evidence.ts';
import { moved, paid, raised, settled, attemptHistories } from '../evidence/incomplete-payments.ts';

const day = 86_400_000;
/** Noon (UTC) of the day before yesterday: one day, and between one and seven days ago, whenever the screens are looked at. */
const from = Math.floor(Date.now() / day) * day - 1.5 * day;

const others = [
  [...raised, paid, settled],
  [...raised, paid, settled],
  [...raised, callback(90_000, 'sale', 'fail')],
];

/** The order number of the payment with this cause. */
export const seededOrder = (cause: ReconciliationCause): string =>
  `SEED-${others.length + reconciliationCauses.indexOf(cause)}`;

/** Writes a log that contains every cause for reconciliation once, two paid orders and a declined one. */
export const seedLog = async (userData: string): Promise<void> => {
  const log = await openPaymentLog({ file: join(userData, 'payments.db'), writer: 'yesterday' });
  if (!log.ok) throw new Error(log.error.code);
  const histories = [...others, ...reconciliationCauses.map(cause => attemptHistories[cause])];
  for (const [index, history] of histories.entries())
    await log.value.append(moved(history, 'sandbox', `SEED-${index}`, from));
  await log.value.close();
};
