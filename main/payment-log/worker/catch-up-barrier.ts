/** Who gave up waiting learnt that it is far behind: for so many milliseconds nobody else need find out. */
const resignation = 1_000;

/** What follows something else at its own pace, such as the list the evidence: how far both are, and who waits. */
export type Following = {
  /** What is followed has come to this number. */
  wrote(last: number): void;
  /** What follows has come to this number. */
  showed(through: number): void;
  /** Resolves when it has come as far as what it follows is now, but never keeps anyone waiting for long. */
  caughtUp(): Promise<void>;
  /** How far it has come, as far as that is known. */
  shown(): number;
  /** Resolves when it has come as far as what it follows is now, however long that takes. */
  complete(): Promise<void>;
};

/** `patience`: how long a question waits for what was just written, in milliseconds. */
export const following = (patience: number): Following => {
  let written = 0;
  let shown = 0;
  let gaveUpAt = Number.NEGATIVE_INFINITY;
  const waiting = new Set<{ for: number; go: () => void }>();
  return {
    wrote: last => {
      written = Math.max(written, last);
    },
    showed: through => {
      shown = through;
      for (const one of waiting) if (one.for <= shown) one.go();
    },
    shown: () => shown,
    complete: () =>
      shown >= written
        ? Promise.resolve()
        : new Promise(resolve => {
            const one = {
              for: written,
              go: () => {
                waiting.delete(one);
                resolve();
              },
            };
            waiting.add(one);
          }),
    caughtUp: () =>
      shown >= written || performance.now() - gaveUpAt < resignation
        ? Promise.resolve()
        : new Promise(resolve => {
            const one = {
              for: written,
              go: () => {
                clearTimeout(timer);
                waiting.delete(one);
                resolve();
              },
            };
            const timer = setTimeout(() => {
              gaveUpAt = performance.now();
              one.go();
            }, patience);
            waiting.add(one);
          }),
  };
};
