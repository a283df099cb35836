import {
  claimOf,
  contradictsSale,
  isAllowedPair,
  isDocumentedStatus,
  isDocumentedType,
  observedTypes,
  type CallbackClaim,
  type DocumentedStatus as Status,
  type DocumentedType as Type,
} from '../../shared/callbacks/callback-meaning.ts';
import { maskCardNumbers } from '../../shared/card-number.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import type { Meaning } from '../../shared/callbacks/inspection.ts';
import { joined, msg, type Message, type MessageKey } from '../../shared/messages/message.ts';
import { valueOf } from './forms/text-form.ts';

/** The combined meaning of type and status by §3.2, and contradictions to the interface. */

type Interpretation = Pick<Meaning, 'title' | 'text'>;

/** The severity of each claim in the window. */
const effects: Readonly<Record<CallbackClaim, Meaning['effect']>> = {
  paid: 'paid',
  'not-paid': 'not-paid',
  processing: 'in-progress',
  'link-issued': 'in-progress',
  'bank-check': 'in-progress',
  'refund-seen': 'refunded',
  'refund-failed': 'unknown',
  'refund-waiting': 'in-progress',
  voided: 'voided',
  'void-failed': 'unknown',
  'void-waiting': 'in-progress',
  'scheduled-ran': 'unknown',
  chargeback: 'chargeback',
  reversed: 'reversed',
  uncertain: 'unknown',
};

/** The headline and the text of a pair that §3.2 allows. */
type AllowedPair = Extract<MessageKey, `meaning.${Type}.${Status}`>;
const explained = (key: AllowedPair): Interpretation => ({ title: msg(key), text: msg(`${key}.text`) });

const interpretations: Readonly<Record<Type, Partial<Record<Status, Interpretation>>>> = {
  sale: {
    success: explained('meaning.sale.success'),
    fail: explained('meaning.sale.fail'),
    waiting: explained('meaning.sale.waiting'),
  },
  '3ds': { success: explained('meaning.3ds.success') },
  redirect: { success: explained('meaning.redirect.success') },
  refund: {
    success: explained('meaning.refund.success'),
    fail: explained('meaning.refund.fail'),
    waiting: explained('meaning.refund.waiting'),
  },
  void: {
    success: explained('meaning.void.success'),
    fail: explained('meaning.void.fail'),
    waiting: explained('meaning.void.waiting'),
  },
  recurring: {
    success: explained('meaning.recurring.success'),
    fail: explained('meaning.recurring.fail'),
    waiting: explained('meaning.recurring.waiting'),
  },
  chargeback: { success: explained('meaning.chargeback.success') },
};

/** Types and statuses that the interface does not list; none of them ever counts as paid. */
const unlisted = (type: string, status: string): Interpretation => {
  if (status === 'undefined') return { title: msg('meaning.undefined'), text: msg('meaning.undefined.text') };
  const observed = observedTypes.find(one => one === type);
  if (observed !== undefined)
    return status === 'success' || !isDocumentedStatus(status)
      ? { title: msg(`meaning.${observed}`), text: msg(`meaning.${observed}.text`) }
      : {
          title: msg('meaning.undocumented', { type, status }),
          text: msg('meaning.undocumented.text', { type, status }),
        };
  return { title: msg('meaning.unlisted'), text: unlistedText(clip(type), clip(status)) };
};

const unlistedText = (type: string, status: string): Message => {
  if (type === '')
    return status === '' ? msg('meaning.unlisted.neither') : msg('meaning.unlisted.no-type', { status });
  return status === ''
    ? msg('meaning.unlisted.no-status', { type })
    : msg('meaning.unlisted.text', { type, status });
};

/** A quoted value of at most 40 characters, without a card number. */
export const clip = (text: string): string => {
  const masked = maskCardNumbers(text);
  return masked.length > 40 ? `${masked.slice(0, 39)}…` : masked;
};

/**
 * The meaning of a callback by its type and status (§3.2). Pairs outside the table are reported as contradictions and
 * never count as paid. The text mentions a contradicting `order_status` (field notes).
 */
export const interpretCallback = (fields: CallbackFields): Meaning => {
  const type = valueOf(fields, 'type') ?? '';
  const status = valueOf(fields, 'status') ?? '';
  const effect = effects[claimOf(type, status)];
  if (!isDocumentedType(type) || !isDocumentedStatus(status))
    return { ...unlisted(type, status), effect, allowed: false };
  const interpretation = interpretations[type][status];
  if (!interpretation || !isAllowedPair(type, status))
    return {
      effect,
      title: msg('meaning.not-allowed'),
      text: msg('meaning.not-allowed.text', { type, status }),
      allowed: false,
    };
  return withOrderStatus({ ...interpretation, effect, allowed: true }, orderStatusOf(fields));
};

/** Absent parameters may be empty or the literal text `null`. */
const orderStatusOf = (fields: CallbackFields): string | null => {
  const value = valueOf(fields, 'order_status');
  return value === '' || value === 'null' ? null : value;
};

/** Type and status determine a payment's state (§3.2 rule 2); a contradicting `order_status` is shown as well. */
const withOrderStatus = (meaning: Meaning, orderStatus: string | null): Meaning => {
  if (orderStatus === null || meaning.effect !== 'paid' || !contradictsSale('success', orderStatus))
    return meaning;
  const contradicting =
    orderStatus === 'pending'
      ? msg('meaning.order-status.pending')
      : msg('meaning.order-status.other', { status: clip(orderStatus) });
  return { ...meaning, text: joined(meaning.text, contradicting) };
};

/**
 * Contradictions between fields: a reason where none is allowed, statuses that disagree, two spellings with two
 * values.
 */
export const contradictions = (fields: CallbackFields): { field: string; message: Message }[] => {
  const found: { field: string; message: Message }[] = [];
  const type = valueOf(fields, 'type') ?? '';
  const status = valueOf(fields, 'status') ?? '';
  const reason = valueOf(fields, 'reason');
  const meaning = interpretCallback(fields);
  if (!meaning.allowed && isDocumentedType(type) && isDocumentedStatus(status))
    found.push({ field: 'status', message: msg('contradiction.pair', { type, status }) });
  if (reason !== null && reason !== '' && reason !== 'null')
    if (status !== 'fail') found.push({ field: 'reason', message: msg('contradiction.reason-status') });
    else if (type !== 'sale' && type !== 'refund')
      found.push({
        field: 'reason',
        message: msg('contradiction.reason-type'),
      });
  const orderStatus = orderStatusOf(fields);
  if (type === 'sale' && orderStatus !== null && contradictsSale(status, orderStatus))
    found.push({
      field: 'order_status',
      message: msg('contradiction.order-status', { status, orderStatus: clip(orderStatus) }),
    });
  const inti = valueOf(fields, 'recurring_inti_trans_id');
  const init = valueOf(fields, 'recurring_init_trans_id');
  if (inti !== null && init !== null && inti !== init)
    found.push({
      field: 'recurring_inti_trans_id',
      message: msg('contradiction.recurring-reference'),
    });
  return found;
};
