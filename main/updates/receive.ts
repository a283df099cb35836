/** One GET of the update server, within limits: a server can send without a length, slowly, or never. */

/** `maxBytes` of content, `idleMs` without a byte, `totalMs` until the last one. */
export type ReceiveLimits = { maxBytes: number; idleMs: number; totalMs: number };

/** One GET that follows no redirect. */
export type Get = (url: string, signal: AbortSignal) => Promise<Response>;

/** An error with a code, as network errors have it. */
export const coded = (code: string): Error => Object.assign(new Error(code), { code });

/** The bytes at an address. Throws a network error, or one with the code REDIRECTED, HTTP NUMBER, TOO_LARGE or TIMEOUT. */
export const receive = async function* (
  get: Get,
  url: string,
  { maxBytes, idleMs, totalMs }: ReceiveLimits,
): AsyncGenerator<Uint8Array> {
  const stop = new AbortController();
  // Raced too: a client that ignores the signal must not hold the check.
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(coded('TIMEOUT')), { once: true });
  });
  stopped.catch(() => undefined);
  const [idle, total] = [idleMs, totalMs].map(ms => setTimeout(() => stop.abort(), ms));
  try {
    const response = await Promise.race([get(url, stop.signal), stopped]);
    if (response.status >= 300 && response.status < 400) throw coded('REDIRECTED');
    if (!response.ok) throw coded(`HTTP ${response.status}`);
    const reader = response.body?.getReader();
    let size = 0;
    for (;;) {
      const part = await Promise.race([reader?.read(), stopped]);
      if (part === undefined || part.done) return;
      idle?.refresh();
      size += part.value.length;
      if (size > maxBytes) throw coded('TOO_LARGE');
      yield part.value;
    }
  } finally {
    clearTimeout(idle);
    clearTimeout(total);
    stop.abort();
  }
};
