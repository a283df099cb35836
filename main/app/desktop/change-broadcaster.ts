import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { maskEvent } from '../payments/mask-event.ts';
import type { AppDependencies } from '../app-context.ts';

/** Milliseconds in which the window is told at most once: it draws no faster. */
const pause = 50;
/** In a flood, which so many at once are, a list that is all new each time must not keep the window from everything else. */
const isFlooded = 50;
const maxNotifyIntervalMs = 1_000;
/** The inbox shows no more than the latest ones. */
const maxArrivedEvents = 200;

/**
 * Notices for the window, none of them while the desk is locked: what the window missed it reads anew once it is
 * unlocked. The lock itself is told past this.
 */
export const suppressWhileLocked =
  (notify: AppDependencies['notify'], isLocked: () => boolean): AppDependencies['notify'] =>
  (name, payload) => {
    if (!isLocked()) notify(name, payload);
  };

/** Tells the window what was written: the first word at once, what follows closely in one. */
export const createChangeBroadcaster = (parts: Pick<AppDependencies, 'notify'>) => {
  let changed = new Map<string, PaymentKey>();
  let arrived: Event[] = [];
  let timer: NodeJS.Timeout | null = null;

  const tell = (): void => {
    timer = null;
    if (changed.size === 0 && arrived.length === 0) return;
    if (changed.size > 0) parts.notify('payments.changed', { payments: [...changed.values()] });
    if (arrived.length > 0) parts.notify('callbacks.arrived', { events: arrived.map(maskEvent) });
    const next = Math.max(changed.size, arrived.length) < isFlooded ? pause : maxNotifyIntervalMs;
    changed = new Map();
    arrived = [];
    timer = setTimeout(tell, next).unref();
  };

  return {
    /** To be told of everything written. */
    heard(payments: readonly PaymentKey[], events: readonly Event[]): void {
      for (const key of payments) changed.set(paymentKey(key), key);
      const callbacks = events.filter(({ kind }) => kind === 'callback.received');
      if (callbacks.length > 0) arrived = [...arrived, ...callbacks].slice(-maxArrivedEvents);
      if (timer === null) tell();
    },
    stop(): void {
      if (timer) clearTimeout(timer);
    },
  };
};
