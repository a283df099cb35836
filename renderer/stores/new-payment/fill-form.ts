import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { amountText } from '../../../shared/money/format-amount.ts';
import { requestShownOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { typedForm } from '../../amount-reading.ts';
import type { ProfileKind, ProfileView } from '../../../shared/settings/profile.ts';
import type { Draft } from './drafts.ts';
import { useNewPayment } from './new-payment-store.ts';

/** What the form is filled with; everything else is as in an empty form, with a new order number. */
export type FormContent = Partial<Draft>;

/**
 * Whether the form of a profile may be filled from a payment: a test payment must never be one Enter away from a live
 * link. `from`: the kind of the payment's profile, null if it was removed.
 */
export const mayFill = (from: ProfileKind | null, to: ProfileKind): boolean =>
  to !== 'live' || from === 'live';

/** The customer's details for the form. */
export const customerContent = (
  customer: Partial<Record<'name' | 'email' | 'phone', string | null | undefined>> | null,
): FormContent => ({
  customerName: customer?.name ?? '',
  customerEmail: customer?.email ?? '',
  customerPhone: customer?.phone ?? '',
});

/**
 * A payment for the form: amount, currency, description, customer, methods and the language of its messages.
 */
export const paymentContent = ({ payment, events }: PaymentDetail, locale: string): FormContent => {
  const { amount, currency, description }: Payment = payment;
  const asked = requestShownOf(events)?.body;
  return {
    ...customerContent(ownCustomer(payment)),
    ...(amount === null ? {} : { amount: amountText(typedForm(amount, currency ?? ''), locale) }),
    ...(currency === null ? {} : { currency }),
    ...(description === null ? {} : { description }),
    ...(asked === undefined ? {} : { methods: asked.methods, language: asked.options?.language ?? null }),
  };
};

/** Fills a form of the active profile, another one if the current form is in use; nothing is sent. */
export const fillFrom = (profile: ProfileView, content: FormContent): void => {
  const methods = (content.methods ?? []).filter(method => profile.methods.includes(method));
  useNewPayment.getState().openDraft({ ...content, methods: methods.length > 0 ? methods : profile.methods });
};
