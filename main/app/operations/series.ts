import {
  paymentFilterSchema,
  type OpenOperation,
  type PaymentSeries,
} from '../../../shared/contract/contract.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { sameId } from '../../../shared/payment-reducer/evidence/payment-id.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { openMoney } from '../../../shared/payments/open-money.ts';

/** Limit of shown payments of a series. */
const maxShown = 200;

/** A payment's own series by its callbacks: the token for later charges, from verified callbacks only. */
const tokenIn = (events: readonly Event[], firstPaymentId: string): string | null => {
  for (const event of events.toReversed()) {
    if (event.kind !== 'callback.received' || event.body.verification.verdict !== 'verified') continue;
    const fields = new Map(event.body.fields);
    const first =
      fields.get('recurring_init_trans_id') ?? fields.get('recurring_inti_trans_id') ?? fields.get('id');
    const token = fields.get('recurring_token');
    // An erased token reads as an empty one: its series has ended.
    if (first && sameId(first, firstPaymentId) && token && token !== 'null') return token;
  }
  return null;
};

/** The order of the first payment of a series and its token; each null if it is not in the log. */
export const readFirstPayment = async (
  log: Pick<PaymentLog, 'ordersOf' | 'events'>,
  profileId: string,
  firstPaymentId: string,
): Promise<{ order: string | null; token: string | null; currency: string | null }> => {
  const orders = (await log.ordersOf(firstPaymentId)).filter(one => one.profileId === profileId);
  for (const { orderNumber } of orders) {
    const events = await log.events(profileId, orderNumber);
    const token = tokenIn(events, firstPaymentId);
    if (token !== null || orders.length === 1) {
      const request = events.find(event => event.kind === 'session.requested');
      return { order: orderNumber, token, currency: request?.body.currency ?? null };
    }
  }
  return { order: null, token: null, currency: null };
};

/** How long ago a charge may have been requested that a team still counts as just sent, milliseconds. */
const recentMs = 600_000;

const listSeries = async (log: PaymentLog, profileId: string, firstPaymentId: string) => {
  const page = await log.list(
    paymentFilterSchema.parse({ words: firstPaymentId, profileId }),
    null,
    maxShown,
  );
  return page.rows
    .filter(
      row =>
        (row.series && sameId(row.series.firstPaymentId, firstPaymentId)) ||
        row.paymentIds.some(id => sameId(id, firstPaymentId)),
    )
    .toSorted((one, other) => one.firstAt - other.firstAt);
};

/** The charges of a series without a result, and the operations of its latest charges. */
export const openCharges = async (
  log: PaymentLog,
  profile: Profile,
  firstPaymentId: string,
): Promise<{ open: OpenOperation[]; known: string[] }> => {
  const open: OpenOperation[] = [];
  const known: string[] = [];
  const rows = await listSeries(log, profile.id, firstPaymentId);
  const lastAt = rows.at(-1)?.firstAt ?? 0;
  for (const { orderNumber, state, amount, firstAt: at } of rows) {
    const isOpen = state === 'outcome-unknown' || state === 'processing';
    if (!isOpen && at < lastAt - recentMs) continue;
    const payment = await log.payment(profile.id, orderNumber);
    const charges = payment?.operations.filter(({ kind }) => kind === 'recurring') ?? [];
    known.push(...charges.map(({ intent }) => intent));
    if (!isOpen) continue;
    const found = payment ? openMoney(payment).filter(({ paymentId }) => paymentId === firstPaymentId) : [];
    open.push(
      ...found,
      // Requested elsewhere, or answered: the new payment itself has no result.
      ...(found.length > 0
        ? []
        : [
            {
              id: charges.at(-1)?.intent ?? `order ${orderNumber}`.slice(0, 64),
              kind: 'recurring' as const,
              amount,
              agent: charges.at(-1)?.agent ?? null,
              at,
              state: 'waiting' as const,
            },
          ]),
    );
  }
  return { open, known };
};

/** Reads the series of a first payment: its payments, oldest first, and whether another charge is possible. */
export const readSeries = async (
  log: PaymentLog,
  profile: Profile,
  firstPaymentId: string,
): Promise<PaymentSeries> => {
  const { order, token } = await readFirstPayment(log, profile.id, firstPaymentId);
  const payments = await listSeries(log, profile.id, firstPaymentId);
  const base = (order ?? 'order').replaceAll(/[^a-zA-Z0-9-]/g, '-');
  let number = payments.length + 1;
  let suggestedOrder = `${base}-${number}`;
  for (let tries = 0; tries < 50 && (await log.payment(profile.id, suggestedOrder)) !== null; tries += 1) {
    number += 1;
    suggestedOrder = `${base}-${number}`;
  }
  return {
    firstPaymentId,
    firstOrder: order,
    payments,
    hasToken: token !== null,
    suggestedOrder,
    isOffered: profile.operations.recurring,
  };
};
