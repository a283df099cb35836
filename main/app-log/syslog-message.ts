import type { LogRecord } from './app-log.ts';

/** Records as syslog messages: RFC 5424, framed by RFC 6587 (octet counting) for TCP and TLS. */

/** `local0`, as applications use it. */
const facility = 16;
const severities: Readonly<Record<LogRecord['level'], number>> = { error: 3, warn: 4, info: 6 };
/** Length limit of a datagram, bytes: what receivers have to accept without fragments is less, what they do is more. */
const maxDatagramBytes = 8_192;

/** A value of the header: printable ASCII without blanks, or `-`. */
const headerValue = (text: string, maxChars: number): string =>
  text.replaceAll(/[^\u0021-\u007e]/g, '').slice(0, maxChars) || '-';

/** JSON in ASCII, so that the message needs neither a byte order mark nor an agreement about its encoding. */
const toAscii = (json: string): string =>
  json.replaceAll(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export type SyslogSender = { host: string; pid: number };

/** The record in one message. It is the line of the log; a datagram leaves out what would make it too long. */
export const syslogMessage = (
  { level, area, line }: LogRecord,
  { host, pid }: SyslogSender,
  isDatagram: boolean,
): string => {
  const { time, message, reference } = JSON.parse(line) as {
    time: string;
    message: string;
    reference?: string;
  };
  const head = `<${facility * 8 + severities[level]}>1 ${time} ${headerValue(host, 255)} counterfoil ${pid} ${headerValue(area, 32)} - `;
  const full = head + toAscii(line.trimEnd());
  if (!isDatagram || full.length <= maxDatagramBytes) return full;
  const short = { time, level, area, message: message.slice(0, 1_000), reference, shortened: true };
  return head + toAscii(JSON.stringify(short));
};

/** A message in a stream: its length in bytes, a blank, the message. */
export const octetCounted = (message: string): string => `${Buffer.byteLength(message)} ${message}`;
