import { signature, type Digest, type Uppercasing } from './hash.ts';
import type { Callback, SandboxEvent, Session } from './sandbox-payments.ts';
import type { SandboxChoices } from './sandbox.ts';

/** `YYYY-MM-DD HH:MM:SS` in UTC (§2.5), from milliseconds since 1970. */
export const gatewayDate = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

const customData = (data: Record<string, unknown> | undefined): [string, string][] =>
  Object.entries(data ?? {}).map(([name, value]) => [
    `custom_data[${name}]`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);

/** The documented sample of a failed refund says `decline`, although the payment stays paid. */
const orderStatusOf = ({ attempt, type, status }: SandboxEvent): string =>
  type === 'refund' && status === 'fail' ? 'decline' : attempt.status;

/**
 * The parameters of §2.6 for an event at `now` in milliseconds; absent ones are left out. `orderStatus`: whether
 * `order_status` is sent; with the sale of money that is only held it always is.
 */
export const callbackOf = (
  session: Session,
  sandboxEvent: SandboxEvent,
  now: number,
  orderStatus: SandboxChoices['orderStatus'],
): Callback => {
  const { attempt, type, status } = sandboxEvent;
  const { request, customer, recurring } = session;
  const paid = type !== 'redirect' && type !== '3ds';
  // A card is stored by a payment that succeeded.
  const series =
    recurring && (recurring.initialPaymentId !== null || attempt.paidAt !== null) ? recurring : null;
  const started = series?.initialPaymentId ?? attempt.paymentId;
  const fields: [string, string | null | undefined][] = [
    ['id', attempt.paymentId],
    ['order_number', request.order.number],
    ['order_amount', sandboxEvent.amount ?? request.order.amount],
    ['order_currency', request.order.currency],
    ['order_description', request.order.description],
    [
      'order_status',
      orderStatus === 'sent' || (type === 'sale' && attempt.isAuthorised)
        ? orderStatusOf(sandboxEvent)
        : null,
    ],
    ['type', type],
    ['status', status],
    ['reason', sandboxEvent.reason],
    ['rrn', paid ? attempt.rrn : null],
    ['approval_code', paid ? attempt.approvalCode : null],
    ['card', attempt.card?.number],
    ['card_expiration_date', attempt.card?.expires],
    ['card_token', request.req_token && attempt.card ? session.cardToken : null],
    ['customer_name', customer.name],
    ['customer_email', customer.email],
    ['customer_country', request.billing_address?.country],
    ['customer_state', request.billing_address?.state],
    ['customer_city', request.billing_address?.city],
    ['customer_address', request.billing_address?.address],
    ['customer_ip', customer.ip],
    ['date', gatewayDate(now)],
    // Both spellings occur: the sample's with the sale, the table's with the series.
    [
      type === 'recurring' ? 'recurring_inti_trans_id' : 'recurring_init_trans_id',
      series && paid ? started : null,
    ],
    ['recurring_token', series && paid ? series.token : null],
    ['schedule_id', series && paid ? request.schedule_id : null],
    ...customData(request.custom_data),
  ];
  return {
    orderNumber: request.order.number,
    type,
    status,
    fields: fields.flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value] as const],
    ),
    deliveries: [],
  };
};

const signedFields = ['id', 'order_number', 'order_amount', 'order_currency', 'order_description'];

/** The callback on the wire, its hash last (§5.3); form-encoded, which the interface does not specify. */
export const signedForm = (
  callback: Callback,
  password: string,
  digest: Digest,
  uppercasing: Uppercasing,
): string => {
  const values = new Map(callback.fields);
  const parts = [...signedFields.map(name => values.get(name) ?? ''), password];
  return new URLSearchParams([
    ...callback.fields.map(([name, value]) => [name, value]),
    ['hash', signature(parts, digest, uppercasing)],
  ]).toString();
};
