import { afterBytes } from './text-form.ts';

/** Complete HTTP requests, as in dumps and proxy logs. */

export type RawRequest = {
  /** The request's address, with its query. */
  target: string;
  /** The start of the body, and the latest end of the request. */
  body: number;
  end: number;
  /** The body's length by its header, bytes; null = unknown. */
  length: number | null;
  /** Whether the body is sent in chunks. */
  chunked: boolean;
};

const requestLine = /^[> \t]*(?:GET|POST|PUT|PATCH) (\S{1,8192}) HTTP\/\d(?:\.\d)?[ \t]*\r?$/;
const nextMessage =
  /^[> \t]*(?:(?:GET|POST|PUT|PATCH|HEAD|DELETE|OPTIONS) \S{1,8192} HTTP\/\d|[< \t]*HTTP\/\d(?:\.\d)? \d{3})/gm;

const lineEnd = (text: string, at: number, end: number): number => {
  const found = text.indexOf('\n', at);
  return found < 0 || found > end ? end : found;
};

/** Whether this line is a request line (RFC 9112). */
export const isRequestLine = (line: string): boolean => requestLine.test(line);

/** Reads the head of the request at `from`. */
export const readRequest = (text: string, from: number, end: number): RawRequest => {
  const first = lineEnd(text, from, end);
  const target = requestLine.exec(text.slice(from, first))?.[1] ?? '';
  let at = first + 1;
  let length: number | null = null;
  let chunked = false;
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
    if (header[1]?.toLowerCase() === 'content-length' && /^\d{1,9}$/.test(header[2] ?? ''))
      length = Number(header[2]);
    if (header[1]?.toLowerCase() === 'transfer-encoding' && /chunked/i.test(header[2] ?? '')) chunked = true;
  }
  nextMessage.lastIndex = Math.min(at, end);
  const next = nextMessage.exec(text);
  return { target, body: Math.min(at, end), end: next ? Math.min(next.index, end) : end, length, chunked };
};

/** The end of a body of known length; null if the text is shorter. */
export const bodyEnd = (text: string, request: RawRequest): number | null =>
  request.length === null ? null : afterBytes(text, request.body, request.length, text.length);

const chunkSize = /^([0-9a-f]{1,8})[ \t]*(?:;[^\n]*)?\r?$/i;

/** The chunks of a body (RFC 9112) by their sizes; null if the text does not follow them. */
const joinBySizes = (text: string, from: number, end: number): { body: string; end: number } | null => {
  let body = '';
  let at = from;
  while (at < end) {
    const stop = lineEnd(text, at, end);
    const size = chunkSize.exec(text.slice(at, Math.min(stop, at + 1_000)))?.[1];
    if (size === undefined) return null;
    const start = Math.min(stop + 1, end);
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) return { body, end: start };
    const close = afterBytes(text, start, bytes, end) ?? end;
    body += text.slice(start, close);
    if (close < end && !/[\r\n]/.test(text.charAt(close))) return null;
    at = close < end ? lineEnd(text, close, end) + 1 : end;
  }
  return { body, end };
};

/**
 * A chunked body in one piece. Where the line ends were changed by a copy, the sizes are wrong: every line that is a
 * size is then left out.
 */
export const joinChunks = (text: string, request: RawRequest): { body: string; end: number } =>
  joinBySizes(text, request.body, request.end) ?? {
    body: text
      .slice(request.body, request.end)
      .split('\n')
      .filter(line => !chunkSize.test(line))
      .join('\n'),
    end: request.end,
  };
