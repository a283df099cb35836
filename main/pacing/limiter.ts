import { paymentKey, type PaymentKey } from '../../shared/payments/payment-row.ts';

/** Runs work, at most so much of it at once; the rest waits in order. */
export type Limiter = { run: <T>(work: () => T | Promise<T>) => Promise<T> };

/** `maxConcurrent` 1 makes it a mutex. Work that fails does not hold up the work behind it. */
export const createLimiter = (maxConcurrent: number): Limiter => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    run: async work => {
      if (running < maxConcurrent) running += 1;
      else {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        await promise;
      }
      try {
        return await work();
      } finally {
        // The slot goes to the next in line, so that no newcomer overtakes it.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
};

/** Who uses an order number: two forms with a new one must not both find it free. */
export type OrderMutex = ReturnType<typeof createPaymentMutex>;

/** One piece of work at a time for each payment; payments do not wait for each other. */
export const createPaymentMutex = () => {
  const mutexes = new Map<string, { mutex: Limiter; users: number }>();
  return {
    run: async <T>(payment: PaymentKey, work: () => T | Promise<T>): Promise<T> => {
      const key = paymentKey(payment);
      const entry = mutexes.get(key) ?? { mutex: createLimiter(1), users: 0 };
      mutexes.set(key, entry);
      entry.users += 1;
      try {
        return await entry.mutex.run(work);
      } finally {
        entry.users -= 1;
        if (entry.users === 0) mutexes.delete(key);
      }
    },
  };
};
