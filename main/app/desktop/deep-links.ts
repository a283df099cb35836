import type { AskedPlace, Handlers } from '../../../shared/contract/index.ts';
import { ok } from '../../../shared/errors.ts';
import { readPaymentAddress } from '../../../shared/payments/payment-address.ts';

/**
 * Places in the window that are asked for from outside: an address, a notification, the tray. One waits until the
 * window takes it, which a locked desk cannot; of several the last one counts. Nothing but going there comes of them.
 */
export type Places = {
  handlers: Pick<Handlers, 'desk.takePlace'>;
  open(place: AskedPlace): void;
  /** False for what is no address of a payment. */
  openAddress(text: string): boolean;
};

/** `tell` lets the window know that a place waits. */
export const placeDesk = (tell: () => void): Places => {
  let waiting: AskedPlace | null = null;
  const open = (place: AskedPlace): void => {
    waiting = place;
    tell();
  };
  return {
    open,
    openAddress: text => {
      const payment = readPaymentAddress(text);
      if (payment) open({ screen: 'payment', ...payment });
      return payment !== null;
    },
    handlers: {
      'desk.takePlace': async () => {
        const place = waiting;
        waiting = null;
        return ok({ place });
      },
    },
  };
};
