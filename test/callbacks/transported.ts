import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { json, printers, urlencoded, type Printer } from './printing.ts';

/** Callbacks as mail programs, web pages, shells and Go programs change or print them. */

const go = (text: string): string => (/[\s="\\]/.test(text) || text === '' ? JSON.stringify(text) : text);

const sorted = (fields: CallbackFields): CallbackFields =>
  fields.toSorted(([one], [other]) => (one < other ? -1 : 1));

const wrap = (text: string, columns: number, lineEnd: string): string =>
  (text.match(new RegExp(`[^]{1,${columns}}`, 'g')) ?? []).join(lineEnd);

/** Quoted-printable as Python's quopri writes it, with lines of at most 76 characters. */
export const quotedPrintable = (text: string): string => {
  const encoded = (line: string): string => {
    const units = [...Buffer.from(line, 'utf8')].map((byte, at, all) =>
      byte === 61 || byte > 126 || byte < 32 || (at === all.length - 1 && byte === 32)
        ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    );
    let out = '';
    let column = 0;
    for (const unit of units) {
      if (column + unit.length > 75) {
        out += '=\r\n';
        column = 0;
      }
      out += unit;
      column += unit.length;
    }
    return out;
  };
  return text.split('\n').map(encoded).join('\r\n');
};

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');

/** An argument as Chrome's "Copy as cURL (cmd)" writes it. */
const cmd = (text: string): string =>
  `^"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[^a-zA-Z0-9\s_:=+~'/.,?;()*`-]/g, '^$&')
    .replace(/%(?=\w)/g, '%^')
    .replace(/\r?\n/g, '^\n\n')}^"`;

/** An argument as Chrome's "Copy as cURL (bash)" writes it. */
const ansi = (text: string): string =>
  `$'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;

const powerShell = (text: string): string =>
  `"${text.replace(/[`$"]/g, '`$&').replace(/[^\x20-\x7e]/g, unit => `$([char]${unit.charCodeAt(0)})`)}"`;

const chunked = (body: string, extension: string): string => {
  const bytes = Buffer.from(body, 'utf8');
  let out =
    'POST /notify HTTP/1.1\r\nHost: shop.example\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (let at = 0; at < bytes.length;) {
    let stop = Math.min(bytes.length, at + 60);
    // A chunk of a text in a dump ends at a character.
    while (stop < bytes.length && ((bytes[stop] ?? 0) & 0xc0) === 0x80) stop++;
    out += `${(stop - at).toString(16)}${extension}\r\n${bytes.toString('utf8', at, stop)}\r\n`;
    at = stop;
  }
  return `${out}0\r\n\r\n`;
};

const printed = (name: string, fields: CallbackFields): string =>
  printers.find(printer => printer.name === name)?.print(fields) ?? '';

const transported = (
  name: string,
  form: Printer['form'],
  print: Printer['print'],
  escapes = true,
): Printer => ({ name, form, escapes, print });

const logfmt = (fields: CallbackFields, prefix: string): string =>
  fields.map(([name, value]) => `${prefix}${name}=${go(value)}`).join(' ');

const request = (options: string): string =>
  `Invoke-WebRequest -UseBasicParsing -Uri "https://shop.example/notify" \`\n-Method "POST" \`\n-Headers @{\n"accept"="*/*"\n} \`\n${options}`;

export const transports: readonly Printer[] = [
  transported(
    'logfmt after a quoted text',
    'log-line',
    fields => `time=2026-11-20T12:00:00Z level=INFO msg="callback received" ${logfmt(fields, '')}`,
  ),
  transported(
    'logfmt in a group',
    'log-line',
    fields => `level=info msg="callback" ${logfmt(fields, 'form.')} took=3ms`,
  ),
  transported(
    'log line of a console writer',
    'log-line',
    fields => `10:11AM INF callback ${logfmt(fields, '')}`,
  ),
  transported('form body wrapped at 76 columns', 'urlencoded', fields => wrap(urlencoded(fields), 76, '\n')),
  transported(
    'form body wrapped in a mail',
    'urlencoded',
    fields => `Hello,\r\n\r\nthis came:\r\n\r\n${wrap(urlencoded(fields), 72, '\r\n')}\r\n\r\nRegards\r\n`,
  ),
  transported('form body, quoted-printable', 'urlencoded', fields => quotedPrintable(urlencoded(fields))),
  transported(
    'form body in a quoted-printable mail',
    'urlencoded',
    fields =>
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(`Hello\n\n${urlencoded(fields)}\n\nRegards\n`)}`,
  ),
  transported('JSON, quoted-printable', 'json', fields => quotedPrintable(json(fields))),
  transported('lines, quoted-printable', 'lines', fields => quotedPrintable(printed('lines', fields)), false),
  transported(
    'print_r in the source of a page',
    'php-print-r',
    fields => `<pre>${escapeHtml(printed('print_r', fields))}</pre>`,
    false,
  ),
  transported('var_export in the source of a page', 'php-var-export', fields =>
    escapeHtml(printed('var_export', fields)),
  ),
  transported(
    'curl for cmd',
    'curl',
    fields =>
      `curl ^"https://shop.example/notify^" ^\r\n  -H ^"content-type: application/x-www-form-urlencoded^" ^\r\n  --data-raw ${cmd(urlencoded(fields))}`,
  ),
  transported(
    'curl for cmd with JSON',
    'curl',
    fields => `curl ^"https://shop.example/notify^" ^\r\n  --data-raw ${cmd(json(fields))} ^\r\n  --insecure`,
  ),
  transported(
    'curl with ^ at the line ends',
    'curl',
    fields =>
      `curl -X POST https://shop.example/notify ^\r\n${urlencoded(fields)
        .split('&')
        .map(pair => `  -d "${pair}"`)
        .join(' ^\r\n')}`,
  ),
  transported(
    "curl with $'…'",
    'curl',
    fields => `curl 'https://shop.example/notify' \\\n  --data-raw ${ansi(json(fields))} \\\n  --compressed`,
  ),
  transported(
    'curl with one body',
    'curl',
    fields => `$ curl https://shop.example/notify -d '${urlencoded(fields)}'`,
  ),
  transported('PowerShell', 'powershell', fields => request(`-Body ${powerShell(urlencoded(fields))}`)),
  transported('PowerShell with JSON', 'powershell', fields => request(`-Body ${powerShell(json(fields))}`)),
  transported('PowerShell with a table', 'powershell', fields =>
    request(
      `-Body @{\n${fields.map(([name, value]) => `  ${name} = '${value.replaceAll("'", "''")}'`).join('\n')}\n}`,
    ),
  ),
  transported('chunked HTTP', 'raw-http', fields => chunked(urlencoded(fields), '')),
  transported('chunked HTTP with extensions', 'raw-http', fields => chunked(urlencoded(fields), ';a="b"')),
  transported('chunked HTTP with JSON', 'raw-http', fields => chunked(json(fields), '')),
  transported('chunked HTTP with other line ends', 'raw-http', fields =>
    chunked(urlencoded(fields), '').replaceAll('\r\n', '\n'),
  ),
  transported(
    'Go url.Values',
    'go-map',
    fields =>
      `map[${sorted(fields)
        .map(([name, value]) => `${name}:[${value}]`)
        .join(' ')}]`,
    false,
  ),
  transported(
    'Go map',
    'go-map',
    fields =>
      `map[${sorted(fields)
        .map(([name, value]) => `${name}:${value}`)
        .join(' ')}]`,
    false,
  ),
  transported(
    'Go map in a map',
    'log-line',
    fields =>
      `map[body:map[${sorted(fields)
        .map(([name, value]) => `${name}:${value}`)
        .join(' ')}] headers:map[Host:[shop.example]] method:POST]`,
    false,
  ),
  transported(
    'Go %#v',
    'log-line',
    fields =>
      `url.Values{${sorted(fields)
        .map(([name, value]) => `"${name}":[]string{${JSON.stringify(value)}}`)
        .join(', ')}}`,
  ),
  transported('base64', 'base64', fields =>
    wrap(Buffer.from(urlencoded(fields)).toString('base64'), 76, '\n'),
  ),
];
