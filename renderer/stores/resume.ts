import type { Resume } from '../../shared/contract/index.ts';
import { activeProfile, useAppState } from './app-state-store.ts';
import { useNewPayment } from './payments/new-payment-store.ts';
import { goInPlace } from './route-store.ts';
import { readRoute } from '../routes.ts';

/** The state restored after unlocking: the route, and the form for a new payment as it was typed. */
export const resumeOf = (): Resume => {
  const form = useNewPayment.getState();
  const { profileId, amount, description, customerName, customerEmail, customerPhone } = form;
  const isTyped = [amount, description, customerName, customerEmail, customerPhone].some(text => text !== '');
  const { idempotencyKey, currency, orderNumber, suggested, methods, language } = form;
  const address = window.location.hash.slice(0, 4096);
  if (profileId === null || !isTyped || form.submitting) return { address, draft: null };
  return {
    address,
    draft: {
      profileId,
      idempotencyKey,
      currency: currency.slice(0, 3),
      suggested,
      methods: [...methods],
      amount: amount.slice(0, 40),
      orderNumber: orderNumber.slice(0, 255),
      description: description.slice(0, 1024),
      customerName: customerName.slice(0, 255),
      customerEmail: customerEmail.slice(0, 255),
      customerPhone: customerPhone.slice(0, 40),
      language,
    },
  };
};

/** Restores it before the first render, so that the first screen is the right one. */
export const resume = ({ address, draft }: Resume): void => {
  if (draft !== null) useNewPayment.setState(draft);
  goInPlace(readRoute(address));
};

/** Runs `begin` once the console is unlocked: at the start, or after unlocking. */
export const whenOpen = (begin: () => void): void => {
  if (activeProfile(useAppState.getState()) !== null) return begin();
  const stop = useAppState.subscribe(({ appState: app }) => {
    if (app === null) return;
    stop();
    begin();
  });
};
