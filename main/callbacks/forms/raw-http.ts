/** Complete HTTP requests, as in dumps and proxy logs. */

export type RawRequest = {
  /** The request's address, with its query. */
  target: string;
  /** The start of the body, and the latest end of the request. */
  body: number;
  end: number;
  /** The body's length by its header, bytes; null = unknown. */
  length: number | null;
};

const requestLine = /^[> \t]*(?:GET|POST|PUT|PATCH) (\S{1,8192}) HTTP\/\d(?:\.\d)?[ \t]*\r?$/;
const nextMessage =
  /^[> \t]*(?:(?:GET|POST|PUT|PATCH|HEAD|DELETE|OPTIONS) \S{1,8192} HTTP\/\d|[< \t]*HTTP\/\d(?:\.\d)? \d{3})/gm;

/** Whether this line is a request line (RFC 9112). */
export const isRequestLine = (line: string): boolean => requestLine.test(line);

/** Reads the head of the request at `from`. */
export const readRequest = (text: string, from: number, end: number): RawRequest => {
  const stop = text.indexOf('\n', from);
  const first = stop < 0 || stop > end ? end : stop;
  const target = requestLine.exec(text.slice(from, first))?.[1] ?? '';
  let at = first + 1;
  let length: number | null = null;
  while (at < end) {
    const found = text.indexOf('\n', at);
    const stop = found < 0 || found > end ? end : found;
    const line = text
      .slice(at, stop)
      .replace(/^[> \t]+/, '')
      .trimEnd();
    const header = /^([A-Za-z0-9-]+):[ \t]*(.*)$/.exec(line);
    if (line !== '' && !header) break;
    at = stop + 1;
    if (!header) break;
    if (header[1]?.toLowerCase() === 'content-length' && /^\d{1,9}$/.test(header[2] ?? ''))
      length = Number(header[2]);
  }
  nextMessage.lastIndex = Math.min(at, end);
  const next = nextMessage.exec(text);
  return { target, body: Math.min(at, end), end: next ? Math.min(next.index, end) : end, length };
};

/** The end of a body of known length; null if the text is shorter. */
export const bodyEnd = (text: string, request: RawRequest): number | null => {
  if (request.length === null) return null;
  let left = request.length;
  let at = request.body;
  while (left > 0 && at < text.length) {
    const point = text.codePointAt(at) ?? 0;
    left -= point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    at += point > 0xffff ? 2 : 1;
  }
  return left > 0 ? null : at;
};
