import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { maskEvent } from '../payments/mask-event.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Throttle interval for change events; the renderer cannot paint faster. */
const minNotifyIntervalMs = 50;
/** Batch size that counts as high load: then reloading the whole list must not block the window. */
const highLoadSize = 50;
const maxNotifyIntervalMs = 1_000;
/** Limit of callbacks in one event: the inbox shows only the latest ones. */
const maxArrivedEvents = 200;

/**
 * Suppresses events while the console is locked: the renderer reloads everything after unlocking. The lock event
 * itself bypasses this.
 */
export const suppressWhileLocked =
  (notify: AppDependencies['notify'], isLocked: () => boolean): AppDependencies['notify'] =>
  (name, payload) => {
    if (!isLocked()) notify(name, payload);
  };

/** Sends changes to the window: the first one immediately, close ones together. */
export const createChangeBroadcaster = (parts: Pick<AppDependencies, 'notify'>) => {
  let changed: Map<string, PaymentKey> | null = new Map();
  let arrived: Event[] = [];
  let timer: NodeJS.Timeout | null = null;

  const emit = (): void => {
    timer = null;
    if (changed?.size === 0 && arrived.length === 0) return;
    if (changed?.size !== 0) parts.notify('payments.changed', { payments: changed && [...changed.values()] });
    if (arrived.length > 0) parts.notify('callbacks.arrived', { events: arrived.map(maskEvent) });
    const isHighLoad = changed === null || Math.max(changed.size, arrived.length) >= highLoadSize;
    const next = isHighLoad ? maxNotifyIntervalMs : minNotifyIntervalMs;
    changed = new Map();
    arrived = [];
    timer = setTimeout(emit, next).unref();
  };

  return {
    /** Call it with every written event; `payments` null: any payment may have changed. */
    onEventsWritten(payments: readonly PaymentKey[] | null, events: readonly Event[]): void {
      if (payments === null) changed = null;
      else for (const key of payments) changed?.set(paymentKey(key), key);
      const callbacks = events.filter(({ kind }) => kind === 'callback.received');
      if (callbacks.length > 0) arrived = [...arrived, ...callbacks].slice(-maxArrivedEvents);
      if (timer === null) emit();
    },
    stop(): void {
      if (timer) clearTimeout(timer);
    },
  };
};
