import type { PaymentKey } from './payment-row.ts';
import { hasHiddenCharacters } from '../plain-text.ts';

/** Deep link to a payment's page: it only opens the page in Counterfoil. */
const form = /^counterfoil:\/\/payment\/([a-z0-9-]{1,64})\/([^/?#\s]{1,2000})\/?$/;

/** `counterfoil://payment/<profile>/<order number>`, the order number percent-encoded. */
export const paymentAddress = ({ profileId, orderNumber }: PaymentKey): string =>
  `counterfoil://payment/${profileId}/${encodeURIComponent(orderNumber)}`;

/** Reads such an address; null for any other text: another program or a web page may have sent it. */
export const readPaymentAddress = (text: string): PaymentKey | null => {
  const [, profileId, encoded] = form.exec(text) ?? [];
  if (profileId === undefined || encoded === undefined) return null;
  try {
    const orderNumber = decodeURIComponent(encoded);
    const isPlain =
      orderNumber.length <= 255 && !hasHiddenCharacters(orderNumber) && orderNumber.trim() !== '';
    return isPlain ? { profileId, orderNumber } : null;
  } catch {
    return null;
  }
};
