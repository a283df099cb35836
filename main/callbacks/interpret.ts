import {
  claimOf,
  isAllowedPair,
  isDocumentedStatus,
  isDocumentedType,
  observedTypes,
  type CallbackClaim,
  type DocumentedStatus as Status,
  type DocumentedType as Type,
} from '../../shared/callbacks/callback-meaning.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import type { Meaning } from '../../shared/callbacks/inspection.ts';
import { valueOf } from './forms/text.ts';

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

const interpretations: Readonly<Record<Type, Partial<Record<Status, Interpretation>>>> = {
  sale: {
    success: {
      title: 'Callback: paid',
      text: 'Type sale with status success: the payment is successful (§3.2, rule 2). Check the status before you ship.',
    },
    fail: {
      title: 'Callback: declined',
      text: 'Type sale with status fail: the transaction has errors and was not validated (§3.2). The customer can try again with the same link until it expires.',
    },
    waiting: {
      title: 'Callback: processing',
      text: 'Type sale with status waiting: the payment is still being processed (§3.2). It is neither paid nor declined.',
    },
  },
  '3ds': {
    success: {
      title: 'Callback: waiting for bank approval',
      text: 'Type 3ds with status success: the payment is in the 3-D Secure stage (§6.1). A successful transaction does not mean a successful payment (§3.2, rule 1).',
    },
  },
  redirect: {
    success: {
      title: 'Callback: payment page opened, not paid',
      text: 'Type redirect with status success: the payment is not successful (§3.2, rule 3). It only means that a redirect_url was returned (§6.1).',
    },
  },
  refund: {
    success: {
      title: 'Callback: refund, amount unknown',
      text: 'Type refund with status success: a refund was made (§6.1). The callback does not show whether all or part of the amount was refunded: order_amount is the order’s amount (§2.6). Check the status.',
    },
    fail: {
      title: 'Callback: refund failed',
      text: 'Type refund with status fail: the refund was not validated (§3.2). The payment does not change.',
    },
    waiting: {
      title: 'Callback: refund processing',
      text: 'Type refund with status waiting: the refund is not complete yet (§3.2). The payment does not change.',
    },
  },
  void: {
    success: {
      title: 'Callback: cancelled',
      text: 'Type void with status success: the payment was cancelled (§6.1).',
    },
    fail: {
      title: 'Callback: cancellation failed',
      text: 'Type void with status fail: the cancellation was not validated (§3.2). The payment does not change.',
    },
    waiting: {
      title: 'Callback: cancellation processing',
      text: 'Type void with status waiting: the cancellation is not complete yet (§3.2). The payment does not change.',
    },
  },
  recurring: {
    success: {
      title: 'Callback: scheduled payment completed',
      text: 'Type recurring with status success: a scheduled payment completed (§6.1). Only type sale makes a payment successful (§3.2, rule 2). Check the status.',
    },
    fail: {
      title: 'Callback: scheduled payment failed',
      text: 'Type recurring with status fail: the scheduled payment was not validated (§3.2, §6.1).',
    },
    waiting: {
      title: 'Callback: scheduled payment processing',
      text: 'Type recurring with status waiting: the scheduled payment is not complete yet (§3.2, §6.1).',
    },
  },
  chargeback: {
    success: {
      title: 'Callback: disputed',
      text: 'Type chargeback with status success: the bank started a chargeback (§6.1). Send this to your finance team.',
    },
  },
};

/** Field notes on types that the interface does not list; none of them ever counts as paid. */
const observedSenses: Readonly<Record<(typeof observedTypes)[number], Interpretation>> = {
  capture: {
    title: 'Callback: capture, not documented',
    text: 'Type capture is not documented. Other gateways use it to settle an authorised payment. Check the status.',
  },
  debit: {
    title: 'Callback: debit, not documented',
    text: 'Type debit is not documented. Check the status.',
  },
  transfer: {
    title: 'Callback: transfer, not documented',
    text: 'Type transfer is not documented. Check the status.',
  },
  reversal: {
    title: 'Callback: reversed',
    text: 'Type reversal is not documented for callbacks. As a payment status (§3.1) it means that the payment was reversed. Check the status.',
  },
  init: {
    title: 'Callback: init, not documented',
    text: 'Type init is not documented. Other gateways use it to open a payment. It does not mean paid.',
  },
};

const unlisted = (type: string, status: string): Interpretation => {
  if (status === 'undefined')
    return {
      title: 'Callback: result unknown',
      text: 'Status undefined is not documented. Other gateways use it when the result is unknown. Check the status before you give a result.',
    };
  const observed = observedTypes.find(one => one === type);
  if (observed !== undefined) {
    const interpretation = observedSenses[observed];
    return status === 'success' || !isDocumentedStatus(status)
      ? interpretation
      : {
          title: `Callback: ${type} ${status}, not documented`,
          text: `Type ${type} is not documented. Its status here is ${status}. The payment does not change until a status check shows a new result.`,
        };
  }
  const what = type === '' ? 'A callback without a type' : `Type “${clip(type)}”`;
  return {
    title: 'Not documented',
    text: `${what} with ${status === '' ? 'no status' : `status “${clip(status)}”`} is not documented (§2.6, §3.2). Check the status.`,
  };
};

/** A quoted value of at most 40 characters. */
export const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

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
      title: 'Unexpected combination of type and status',
      text: `Status ${status} is not allowed with type ${type} (§3.2). The result is not clear. Check the status.`,
      allowed: false,
    };
  return withOrderStatus({ ...interpretation, effect, allowed: true }, valueOf(fields, 'order_status'));
};

/** Payment statuses that agree with the claim sale + success. */
const settledStatuses = new Set(['settled', 'success', 'null', '']);

/** Type and status determine a payment's state (§3.2 rule 2); a contradicting `order_status` is shown as well. */
const withOrderStatus = (meaning: Meaning, orderStatus: string | null): Meaning => {
  if (orderStatus === null || meaning.effect !== 'paid' || settledStatuses.has(orderStatus)) return meaning;
  const knownFields =
    orderStatus === 'pending'
      ? 'But order_status is pending. In two-step payments this means authorised but not captured. Check the status before you ship.'
      : `But order_status is “${clip(orderStatus)}”, which does not match. Check the status before you ship.`;
  return { ...meaning, text: `${meaning.text} ${knownFields}` };
};

/**
 * Contradictions between fields: a reason where none is allowed, statuses that disagree, two spellings with two
 * values.
 */
export const contradictions = (fields: CallbackFields): { field: string; message: string }[] => {
  const found: { field: string; message: string }[] = [];
  const type = valueOf(fields, 'type') ?? '';
  const status = valueOf(fields, 'status') ?? '';
  const reason = valueOf(fields, 'reason');
  const meaning = interpretCallback(fields);
  if (!meaning.allowed && isDocumentedType(type) && isDocumentedStatus(status))
    found.push({ field: 'status', message: `Status ${status} is not allowed with type ${type} (§3.2).` });
  if (reason !== null && reason !== '' && reason !== 'null') {
    if (status !== 'fail')
      found.push({ field: 'reason', message: 'A reason is only allowed with status fail (§2.6, §7).' });
    else if (type !== 'sale' && type !== 'refund')
      found.push({
        field: 'reason',
        message: 'A reason is only allowed with types sale and refund (§2.6, §7).',
      });
  }
  const orderStatus = valueOf(fields, 'order_status');
  if (type === 'sale' && status === 'success' && orderStatus !== null && !settledStatuses.has(orderStatus))
    found.push({
      field: 'order_status',
      message: `order_status “${clip(orderStatus)}” does not match sale + success.`,
    });
  const inti = valueOf(fields, 'recurring_inti_trans_id');
  const init = valueOf(fields, 'recurring_init_trans_id');
  if (inti !== null && init !== null && inti !== init)
    found.push({
      field: 'recurring_inti_trans_id',
      message: 'The two spellings of the recurring reference have different values (§2.6).',
    });
  return found;
};
