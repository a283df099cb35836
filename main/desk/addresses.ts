import type { Handlers } from '../../shared/contract.ts';
import { ok } from '../../shared/errors.ts';
import { readPaymentAddress } from '../../shared/payment-address.ts';

/**
 * Addresses of payments' pages that reach the console from outside. One waits until the window takes it, which a
 * locked desk cannot; of several the last one counts. Nothing but opening the page ever comes of them.
 */
export const addressDesk = (
  /** Tells the window that one waits. */
  tell: () => void,
): { handlers: Pick<Handlers, 'desk.takeAddress'>; open: (text: string) => boolean } => {
  let waiting: { profileId: string; orderNumber: string } | null = null;
  return {
    open: text => {
      const address = readPaymentAddress(text);
      if (address === null) return false;
      waiting = address;
      tell();
      return true;
    },
    handlers: {
      'desk.takeAddress': async () => {
        const payment = waiting;
        waiting = null;
        return ok({ payment });
      },
    },
  };
};
