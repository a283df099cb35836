import type { NavigationTarget, Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { readPaymentAddress } from '../../../shared/payments/payment-address.ts';

/**
 * Navigation targets from outside: a deep link, a notification, the tray. A target waits until the window takes it,
 * which a locked console cannot. The last one wins. It only navigates.
 */
export type DeepLinks = {
  handlers: Pick<Handlers, 'app.takePendingNavigation'>;
  open(target: NavigationTarget): void;
  /** False if it is not the address of a payment. */
  openAddress(text: string): boolean;
};

/** `onPending` notifies the window that a target is pending. */
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
