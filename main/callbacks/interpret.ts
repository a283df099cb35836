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

/** What type and status together mean by §3.2, and where they contradict the interface. */

type Interpretation = Pick<Meaning, 'title' | 'text'>;

/** How the window marks each claim. */
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
      title: 'Paid, says the callback',
      text: 'Type sale with status success: the payment is successful (§3.2, rule 2). Confirm it with a status look-up before shipping.',
    },
    fail: {
      title: 'Not paid: this attempt failed',
      text: 'Type sale with status fail: the transaction has errors and was not validated (§3.2). The payer may try again on the same link while it lives.',
    },
    waiting: {
      title: 'Being processed',
      text: 'Type sale with status waiting: the payment platform is still processing it (§3.2). It is neither paid nor failed.',
    },
  },
  '3ds': {
    success: {
      title: 'Not a payment yet: the bank is checking',
      text: 'Type 3ds with status success: the payment cycle entered the 3-D Secure stage (§6.1). A successful transaction does not by itself mean a successful payment (§3.2, rule 1).',
    },
  },
  redirect: {
    success: {
      title: 'Not a payment yet: a redirect was issued',
      text: 'Type redirect with status success: the payment is not successful (§3.2, rule 3). It says only that a redirect_url was returned (§6.1).',
    },
  },
  refund: {
    success: {
      title: 'A refund, its amount not known',
      text: 'Type refund with status success: a refund was performed (§6.1). Whether the whole amount or a part was refunded is not said: order_amount is the order’s amount (§2.6). Look the payment up.',
    },
    fail: {
      title: 'The refund failed',
      text: 'Type refund with status fail: the refund was not validated (§3.2). The payment itself stands as it was.',
    },
    waiting: {
      title: 'The refund is being processed',
      text: 'Type refund with status waiting: the refund is not done yet (§3.2). The payment itself stands as it was.',
    },
  },
  void: {
    success: {
      title: 'Voided, says the callback',
      text: 'Type void with status success: the payment was cancelled (§6.1).',
    },
    fail: {
      title: 'The void failed',
      text: 'Type void with status fail: the cancellation was not validated (§3.2). The payment itself stands as it was.',
    },
    waiting: {
      title: 'The void is being processed',
      text: 'Type void with status waiting: the cancellation is not done yet (§3.2). The payment itself stands as it was.',
    },
  },
  recurring: {
    success: {
      title: 'A scheduled payment ran',
      text: 'Type recurring with status success: a scheduled payment completed in the payment platform (§6.1). Only type sale makes a payment successful (§3.2, rule 2): look it up.',
    },
    fail: {
      title: 'A scheduled payment failed',
      text: 'Type recurring with status fail: the scheduled payment was not validated (§3.2, §6.1).',
    },
    waiting: {
      title: 'A scheduled payment is being processed',
      text: 'Type recurring with status waiting: the scheduled payment is not done yet (§3.2, §6.1).',
    },
  },
  chargeback: {
    success: {
      title: 'Disputed: the bank charged it back',
      text: 'Type chargeback with status success: the bank invoked a chargeback (§6.1). Hand it to finance.',
    },
  },
};

/** What field notes say of types the interface does not list; none of them ever counts as paid. */
const observedSenses: Readonly<Record<(typeof observedTypes)[number], Interpretation>> = {
  capture: {
    title: 'A capture, which the interface does not list',
    text: 'Type capture is not in the interface; elsewhere it settles an authorised payment. Look the payment up.',
  },
  debit: {
    title: 'A debit, which the interface does not list',
    text: 'Type debit is not in the interface. Look the payment up.',
  },
  transfer: {
    title: 'A transfer, which the interface does not list',
    text: 'Type transfer is not in the interface. Look the payment up.',
  },
  reversal: {
    title: 'Reversed, says the callback',
    text: 'Type reversal is not in the callback’s list; as a payment status (§3.1) it says that the payment was taken back. Look the payment up.',
  },
  init: {
    title: 'Started, in a way the interface does not list',
    text: 'Type init is not in the interface; elsewhere it opens a payment. It is not a payment.',
  },
};

const unlisted = (type: string, status: string): Interpretation => {
  if (status === 'undefined')
    return {
      title: 'Outcome uncertain',
      text: 'Status undefined is not in the interface; elsewhere it says that the outcome is uncertain. Look the payment up before saying anything.',
    };
  const observed = observedTypes.find(one => one === type);
  if (observed !== undefined) {
    const interpretation = observedSenses[observed];
    return status === 'success' || !isDocumentedStatus(status)
      ? interpretation
      : {
          title: `${type} ${status}, which the interface does not list`,
          text: `Type ${type} is not in the interface; its status here is ${status}. The payment stands as it was until a look-up says otherwise.`,
        };
  }
  const what = type === '' ? 'A callback without a type' : `Type “${clip(type)}”`;
  return {
    title: 'Not in the interface',
    text: `${what} with ${status === '' ? 'no status' : `status “${clip(status)}”`} is not in the interface (§2.6, §3.2). Look the payment up.`,
  };
};

/** A quoted value of at most 40 characters. */
export const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);

/**
 * What a callback means by its type and status (§3.2). Pairs outside the table are
 * named as contradicting it and never count as paid. `order_status` (field notes), where
 * it disagrees, is said in the text.
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
      title: 'Contradicts the interface',
      text: `Status ${status} may not accompany type ${type} (§3.2). Nothing follows from it: look the payment up.`,
      allowed: false,
    };
  return withOrderStatus({ ...interpretation, effect, allowed: true }, valueOf(fields, 'order_status'));
};

/** Payment statuses that agree with what a sale + success claims. */
const settledStatuses = new Set(['settled', 'success', 'null', '']);

/** Type and status are the word on a payment (§3.2 rule 2); what `order_status` says otherwise stands beside it. */
const withOrderStatus = (meaning: Meaning, orderStatus: string | null): Meaning => {
  if (orderStatus === null || meaning.effect !== 'paid' || settledStatuses.has(orderStatus)) return meaning;
  const knownFields =
    orderStatus === 'pending'
      ? 'But order_status is pending: in two-step payments that means authorised and not captured (field notes). Look it up before shipping.'
      : `But order_status is “${clip(orderStatus)}”. The two disagree: look it up before shipping.`;
  return { ...meaning, text: `${meaning.text} ${knownFields}` };
};

/** What is wrong between fields: a reason where none may be, statuses that disagree, two spellings with two values. */
export const contradictions = (fields: CallbackFields): { field: string; message: string }[] => {
  const found: { field: string; message: string }[] = [];
  const type = valueOf(fields, 'type') ?? '';
  const status = valueOf(fields, 'status') ?? '';
  const reason = valueOf(fields, 'reason');
  const meaning = interpretCallback(fields);
  if (!meaning.allowed && isDocumentedType(type) && isDocumentedStatus(status))
    found.push({ field: 'status', message: `Status ${status} may not accompany type ${type} (§3.2).` });
  if (reason !== null && reason !== '' && reason !== 'null') {
    if (status !== 'fail')
      found.push({ field: 'reason', message: 'A reason is shown only when status is fail (§2.6, §7).' });
    else if (type !== 'sale' && type !== 'refund')
      found.push({ field: 'reason', message: 'A reason belongs to types sale and refund alone (§2.6, §7).' });
  }
  const orderStatus = valueOf(fields, 'order_status');
  if (type === 'sale' && status === 'success' && orderStatus !== null && !settledStatuses.has(orderStatus))
    found.push({
      field: 'order_status',
      message: `order_status “${clip(orderStatus)}” disagrees with sale + success.`,
    });
  const inti = valueOf(fields, 'recurring_inti_trans_id');
  const init = valueOf(fields, 'recurring_init_trans_id');
  if (inti !== null && init !== null && inti !== init)
    found.push({
      field: 'recurring_inti_trans_id',
      message: 'The two spellings of the recurring reference hold different values (§2.6).',
    });
  return found;
};
