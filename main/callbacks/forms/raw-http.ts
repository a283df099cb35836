/** Complete HTTP requests, as in dumps and proxy logs. */

const requestLine = /^[> \t]*(?:POST|PUT|PATCH) \S{1,8192} HTTP\/\d(?:\.\d)?[ \t]*\r?$/;
const nextMessage =
  /^[> \t]*(?:(?:GET|POST|PUT|PATCH|HEAD|DELETE|OPTIONS) \S{1,8192} HTTP\/\d|[< \t]*HTTP\/\d(?:\.\d)? \d{3})/gm;

const lineEnd = (text: string, at: number, end: number): number => {
  const found = text.indexOf('\n', at);
  return found < 0 || found > end ? end : found;
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
  const sent = text.slice(start, stop);
  if (isChunked) return { body: joinChunks(sent), end: stop };
  const body = length === null ? sent : Buffer.from(sent).subarray(0, length).toString('utf8');
  return { body, end: start + body.length };
};

const chunkSize = /^([0-9a-f]{1,8})[ \t]*(?:;[^\n]*)?\r?$/i;

/**
 * A chunked body in one piece (RFC 9112). Where the line ends were changed by a copy, the sizes are wrong: every line
 * that is a size is then left out.
 */
const joinChunks = (sent: string): string => {
  const bytes = Buffer.from(sent);
  let body = '';
  for (let at = 0; at < bytes.length;) {
    const feed = bytes.indexOf(10, at);
    const head = bytes.toString('latin1', at, feed < 0 ? bytes.length : feed);
    const size = Number.parseInt(chunkSize.exec(head)?.[1] ?? '', 16);
    const close = at + head.length + 1 + size;
    if (size === 0) return body;
    if (!(close <= bytes.length) || (bytes[close] ?? 13) !== 13) break;
    body += bytes.toString('utf8', at + head.length + 1, close);
    at = bytes.indexOf(10, close) + 1 || bytes.length;
  }
  const lines = sent.split('\n');
  return lines.filter(line => !chunkSize.test(line)).join('\n');
};
