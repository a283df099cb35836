import type { LookUpKey } from '../../shared/payments/evidence.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { formulas, sign } from '../signatures/signature.ts';
import type { HttpRequest } from './http-request.ts';

const statusPath = '/api/v1/payment/status';

/**
 * A look-up (§2.4, §4.2) in the profile's form: GET with a JSON body by the interface; a query, POST, or an order
 * number by assumption, then with `size` if the profile asks for several attempts. `base`: from `checkBaseUrl`. `hash`: to be hidden in the response.
 */
export const statusRequest = (
  profile: Profile,
  base: string,
  password: string,
  key: LookUpKey,
): { httpRequest: HttpRequest; hash: string } => {
  const byPayment = key.by === 'payment-id';
  const asked = { [byPayment ? 'payment_id' : 'order_id']: key.value };
  const hash = sign(byPayment ? formulas.statusByPayment : formulas.statusByOrder, asked, password, {
    digest: profile.digest,
    uppercasing: profile.requestUppercasing,
  });
  const { statusSize } = profile.operations;
  // Unsigned; a payment id names one attempt anyway.
  const size = !byPayment && statusSize > 0 ? { size: String(statusSize) } : {};
  const fields = { merchant_key: profile.merchantKey, ...asked, ...size, hash };
  const { origin, pathname } = new URL(base + statusPath);
  const inQuery = profile.statusForm === 'get-query';
  return {
    hash,
    httpRequest: {
      origin,
      path: inQuery ? `${pathname}?${new URLSearchParams(fields)}` : pathname,
      method: profile.statusForm === 'post-json' ? 'POST' : 'GET',
      body: inQuery ? null : JSON.stringify(fields),
    },
  };
};
