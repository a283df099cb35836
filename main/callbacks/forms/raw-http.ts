/** Complete HTTP requests, as in dumps and proxy logs. */

const requestLine = /^[> \t]*(?:POST|PUT|PATCH) \S{1,8192} HTTP\/\d(?:\.\d)?[ \t]*\r?$/;
const nextMessage =
  /^[> \t]*(?:(?:GET|POST|PUT|PATCH|HEAD|DELETE|OPTIONS) \S{1,8192} HTTP\/\d|[< \t]*HTTP\/\d(?:\.\d)? \d{3})/gm;

const lineEnd = (text: string, at: number, end: number): number => {
  const found = text.indexOf('\n', at);
  return found < 0 || found > end ? end : found;
};

/** The position after `bytes` UTF-8 bytes from `from`; null if the text ends before `end` with fewer. */
const afterBytes = (text: string, from: number, bytes: number, end: number): number | null => {
  let left = bytes;
  let at = from;
  while (left > 0 && at < end) {
    const point = text.codePointAt(at) ?? 0;
    left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point > 0xffff ? 2 : 1;
  }
  return left > 0 ? null : at;
};

/** Whether this line is the request line (RFC 9112) of a request with a body. */
export const isRequestLine = (line: string): boolean => requestLine.test(line);

/** The body of the request at `from`: by its length, by its chunks, or up to the next message. */
export const requestBody = (text: string, from: number, end: number): { body: string; end: number } => {
  let at = lineEnd(text, from, end) + 1;
  let length: number | null = null;
  let isChunked = false;
  while (at < end) {
    const stop = lineEnd(text, at, end);
    const line = text
      .slice(at, stop)
      .replace(/^[> \t]+/, '')
      .trimEnd();
    const header = /^([A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line);
    if (line !== '' && !header) break;
    at = stop + 1;
    if (!header) break;
    const [, name = '', value = ''] = header;
    if (/^content-length$/i.test(name) && /^\d{1,9}$/.test(value)) length = Number(value);
    if (/^transfer-encoding$/i.test(name)) isChunked = /chunked/i.test(value);
  }
  const start = Math.min(at, end);
  nextMessage.lastIndex = start;
  const stop = Math.min(nextMessage.exec(text)?.index ?? end, end);
  if (isChunked) return joinChunks(text, start, stop);
  const stated = length === null ? null : afterBytes(text, start, length, text.length);
  const close = stated !== null && stated < stop ? stated : stop;
  return { body: text.slice(start, close), end: close };
};

const chunkSize = /^([0-9a-f]{1,8})[ \t]*(?:;[^\n]*)?\r?$/i;

/**
 * A chunked body in one piece (RFC 9112). Where the line ends were changed by a copy, the sizes are wrong: every line
 * that is a size is then left out.
 */
const joinChunks = (text: string, from: number, end: number): { body: string; end: number } => {
  let body = '';
  let at = from;
  while (at < end) {
    const stop = lineEnd(text, at, end);
    const size = chunkSize.exec(text.slice(at, Math.min(stop, at + 1_000)))?.[1];
    if (size === undefined) break;
    const start = Math.min(stop + 1, end);
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) return { body, end: start };
    const close = afterBytes(text, start, bytes, end) ?? end;
    body += text.slice(start, close);
    if (close < end && !/[\r\n]/.test(text.charAt(close))) break;
    at = close < end ? lineEnd(text, close, end) + 1 : end;
  }
  if (at >= end) return { body, end };
  const lines = text.slice(from, end).split('\n');
  return { body: lines.filter(line => !chunkSize.test(line)).join('\n'), end };
};
