import type { NavigationTarget, Handlers } from '../../../shared/contract/index.ts';
import { ok } from '../../../shared/errors.ts';
import { readPaymentAddress } from '../../../shared/payments/payment-address.ts';

/**
 * Places in the window that are asked for from outside: an address, a notification, the tray. One waits until the
 * window takes it, which a locked desk cannot; of several the last one counts. Nothing but going there comes of them.
 */
export type DeepLinks = {
  handlers: Pick<Handlers, 'app.takePendingNavigation'>;
  open(target: NavigationTarget): void;
  /** False for what is no address of a payment. */
  openAddress(text: string): boolean;
};

/** `tell` lets the window know that a place waits. */
export const createDeepLinks = (onPending: () => void): DeepLinks => {
  let waiting: NavigationTarget | null = null;
  const open = (target: NavigationTarget): void => {
    waiting = target;
    onPending();
  };
  return {
    open,
    openAddress: text => {
      const payment = readPaymentAddress(text);
      if (payment) open({ screen: 'payment', ...payment });
      return payment !== null;
    },
    handlers: {
      'app.takePendingNavigation': async () => {
        const target = waiting;
        waiting = null;
        return ok({ target });
      },
    },
  };
};
