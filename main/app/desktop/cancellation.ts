/** What a person waits for, at the gateway or at the disk, by the name that the window gave it. */
export type Waits = {
  /** Does the work under a name, with the signal that stops it. */
  during<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops what goes by this name; false when there is nothing of that name any more. */
  stop(name: string): boolean;
};

export const openWaits = (): Waits => {
  const waits = new Map<string, AbortController>();
  return {
    during: async (name, work) => {
      const wait = new AbortController();
      waits.set(name, wait);
      try {
        return await work(wait.signal);
      } finally {
        if (waits.get(name) === wait) waits.delete(name);
      }
    },
    stop: name => {
      const wait = waits.get(name);
      wait?.abort();
      return wait !== undefined;
    },
  };
};
