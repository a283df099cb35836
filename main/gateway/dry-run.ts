import type { DryRun } from '../../shared/contract/contract.ts';
import { hasAmount, operationKinds, type OperationKind } from '../../shared/operations/operation-kinds.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { formulas, showSigned, type Formula } from '../signatures/signature.ts';
import type { OperationRequest } from './operation.ts';
import { prepareOperation, signedValues } from './operations/operation-request.ts';
import { prepareSession } from './session-request.ts';
import { statusRequest } from './status-request.ts';

/** Replaces the merchant password while nothing is sent: a dry run never reads a real one. */
const placeholderPassword = 'dry run';
const mask = '•••';

const sample = { number: 'ORDER-1', amount: '12.50', currency: 'EUR', description: 'Zwei Nächte, Zimmer 12' };
const paymentId = '50a1361a-7c2e-11f1-b8d4-0242ac120002';

const sampleToken = 'f0e24964-fc43-11ec-a7e0-0242ac120004';
const sampleCustomer = { name: 'Jane Doe', email: 'jane@shop.example' };

/** An operation on the sample payment; a charge of a stored card has another number. */
const sampleOperation = (operation: OperationKind): OperationRequest => {
  if (hasAmount(operation, 'part')) return { operation, paymentId, amount: sample.amount };
  if (hasAmount(operation, 'none')) return { operation, paymentId };
  const order = { ...sample, number: `${sample.number}-2` };
  return { operation, firstPaymentId: paymentId, token: sampleToken, order, customer: sampleCustomer };
};

/**
 * The requests that a profile would send for a sample order, and the exact string of each hash, with the password
 * masked; operations only if they are switched on. It shows all assumptions in bytes (§2.1, §2.4, §5). Nothing is sent.
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
    ...operationKinds
      .filter(operation => profile.operations[operation])
      .map(operation => {
        const request = sampleOperation(operation);
        const prepared = prepareOperation(profile, placeholderPassword, request);
        const values = signedValues(request);
        const shown = 'recurring_token' in values ? { ...values, recurring_token: mask } : values;
        return {
          name: operation,
          method: 'POST' as const,
          address: prepared.endpoint,
          body: prepared.redacted,
          ...of(formulas[operation], shown),
        };
      }),
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
