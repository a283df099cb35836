import type { DryRun } from '../../shared/contract/index.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { formulas, showSigned, type Formula } from '../signatures/signature.ts';
import { prepareSession } from './session-request.ts';
import { statusRequest } from './status-request.ts';

/** Replaces the merchant password while nothing is sent: a dry run never reads a real one. */
const placeholderPassword = 'dry run';
const mask = '•••';

const sample = { number: 'ORDER-1', amount: '12.50', currency: 'EUR', description: 'Zwei Nächte, Zimmer 12' };
const paymentId = '50a1361a-7c2e-11f1-b8d4-0242ac120002';

/**
 * The requests that a profile would send for a sample order, and the exact string of each hash, with the password
 * masked. It shows all assumptions in bytes (§2.1, §2.4, §5). Nothing is sent.
 */
export const dryRun = (profile: Profile): DryRun[] => {
  const options = { digest: profile.digest, uppercasing: profile.requestUppercasing };
  const of = (formula: Formula, values: Readonly<Record<string, string>>) => ({
    signed: showSigned(formula, values, options),
    documented: formula.documented,
    section: formula.section,
  });
  const session = prepareSession(profile, placeholderPassword, {
    ...sample,
    methods: profile.methods,
    customer: null,
  });
  const status = (by: 'payment-id' | 'order-number', value: string) => {
    const { httpRequest, hash } = statusRequest(profile, profile.baseUrl, placeholderPassword, { by, value });
    return {
      method: httpRequest.method,
      address: (httpRequest.origin + httpRequest.path).replaceAll(hash, mask),
      body: httpRequest.body?.replaceAll(hash, mask) ?? null,
    };
  };
  return [
    {
      name: 'session',
      method: 'POST',
      address: session.endpoint,
      body: session.redacted,
      ...of(formulas.session, sample),
    },
    {
      name: 'status-by-payment',
      ...status('payment-id', paymentId),
      ...of(formulas.statusByPayment, { payment_id: paymentId }),
    },
    {
      name: 'status-by-order',
      ...status('order-number', sample.number),
      ...of(formulas.statusByOrder, { order_id: sample.number }),
    },
    {
      name: 'callback',
      method: null,
      address: null,
      body: null,
      ...of(formulas.callback, {
        id: paymentId,
        order_number: sample.number,
        order_amount: sample.amount,
        order_currency: sample.currency,
        order_description: sample.description,
      }),
    },
  ];
};
