import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { signed } from '../../tools/evidence/sign-callback.ts';

/** One genuine callback as programs, logs, mails, tables and people write it: carriers × values. */

export const password = 'correct horse';

const id = '50a1361a-7c2e-11f1-b8d4-0242ac120002';

/** A genuine callback with a description, a customer's name, and an amount. */
export const genuine = (description: string, name = 'Anna Example', amount = '123.40'): CallbackFields => {
  const fields: CallbackFields = [
    ['id', id],
    ['order_number', 'ORD-1044'],
    ['order_amount', amount],
    ['order_currency', amount.includes('.') ? 'EUR' : 'JPY'],
    ['order_description', description],
    ['type', 'sale'],
    ['status', 'success'],
    ['card', '411111****1111'],
    ['customer_name', name],
    ['customer_email', 'anna@example.com'],
    ['customer_state', ''],
    ['customer_country', 'DE'],
    ['customer_ip', '192.0.2.7'],
    ['date', '2026-11-20 12:00:00'],
  ];
  return signed(fields, password);
};

/** The kinds of values; a carrier names those that it does not carry unchanged or unambiguously. */
export const values = {
  plain: genuine('Two nights, room 12'),
  umlauts: genuine('Größe L – Straße', 'Jürgen Müß'),
  quotes: genuine('Poster "Blue", 12"', 'Tom "T" Hanks'),
  apostrophe: genuine("L'addition, it's ready", "Sinead O'Connor"),
  signs: genuine('Tea & coffee; 50% + <b>x</b>/y', 'A & B'),
  emoji: genuine('Gift 👍🏽 für 日本', 'Zoë 🎁'),
  backslash: genuine('C:\\temp\\new', 'A\\B'),
  one: genuine('Chair', 'Anna', '1'),
  zero: genuine('Card check', 'Anna', '0'),
};
type Kind = keyof typeof values;
const kinds = Object.keys(values) as Kind[];

export type Carrier = { name: string; print: (fields: CallbackFields) => string; not: readonly Kind[] };

type Pair = (name: string, value: string) => string;
const each = (fields: CallbackFields, pair: Pair, separator: string): string =>
  fields.map(([name, value]) => pair(name, value)).join(separator);
const object = (fields: CallbackFields): Record<string, string> => Object.fromEntries(fields);
const json = (fields: CallbackFields, indent?: number): string =>
  JSON.stringify(object(fields), null, indent);
const ascii = (text: string): string =>
  text.replace(/[^\x20-\x7e\n]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*~]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
export const body = (fields: CallbackFields): string => each(fields, (n, v) => `${n}=${encode(v)}`, '&');
const single = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const double = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
const python = (text: string): string =>
  text.includes("'") && !text.includes('"') ? `"${text.replaceAll('\\', '\\\\')}"` : single(text);
const doubled = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
const bytes = (text: string, show: (byte: number) => string): string =>
  [...Buffer.from(text, 'utf8')]
    .map(byte =>
      byte < 32 || byte > 126 || byte === 34 || byte === 92 ? show(byte) : String.fromCharCode(byte),
    )
    .join('');
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const wrap = (text: string, columns: number): string =>
  (text.match(new RegExp(`[^]{1,${columns}}`, 'gu')) ?? []).join('\n');
const quotedPrintable = (text: string): string =>
  text
    .split('\n')
    .map(line => {
      const units = [...Buffer.from(line, 'utf8')].map(byte =>
        byte === 61 || byte > 126 || byte < 32 ? `=${hex(byte).toUpperCase()}` : String.fromCharCode(byte),
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
    })
    .join('\r\n');
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const sorted = (fields: CallbackFields): CallbackFields =>
  fields.toSorted(([one], [other]) => (one < other ? -1 : 1));
const prefixed = (text: string, prefix: (line: number) => string): string =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, at) => prefix(at) + line)
    .join('\n');

const printR = (fields: CallbackFields): string =>
  `Array\n(\n${each(fields, (n, v) => `    [${n}] => ${v}\n`, '')})\n`;
const varDump = (fields: CallbackFields): string =>
  `array(${fields.length}) {\n${each(fields, (n, v) => `  ["${n}"]=>\n  string(${Buffer.byteLength(v)}) "${v}"\n`, '')}}\n`;
const inspected = (fields: CallbackFields): string =>
  `{\n${each(fields, (n, v) => `  ${n}: ${python(v)}`, ',\n')}\n}\n`;
const lines = (fields: CallbackFields, sign = '='): string =>
  `${each(fields, (name, value) => name + sign + value, '\n')}\n`;
const xml = (fields: CallbackFields): string =>
  `<callback>${each(fields, (n, v) => `<${n}>${html(v)}</${n}>`, '')}</callback>`;
const htmlTable = (fields: CallbackFields): string =>
  `<table><tr><th>Field</th><th>Value</th></tr>${each(fields, (n, v) => `<tr><td>${n}</td><td>${html(v)}</td></tr>`, '')}</table>`;
const columns = (fields: CallbackFields, start: string, sign: string, end: string): string => {
  const width = fields.map(([name, value]) => Math.max(name.length, value.length));
  const row = (cells: string[]): string =>
    `${start}${cells.map((cell, at) => cell.padEnd(width[at] ?? 0)).join(sign)}${end}\n`;
  return row(fields.map(([name]) => name)) + '-RULE-\n' + row(fields.map(([, value]) => value));
};
const multipart = (fields: CallbackFields): string =>
  `${each(fields, (n, v) => `--X7b\r\nContent-Disposition: form-data; name="${n}"\r\n\r\n${v}\r\n`, '')}--X7b--\r\n`;
const chunked = (text: string): string => {
  const all = Buffer.from(text, 'utf8');
  let out = 'POST /notify HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (let at = 0; at < all.length; at += 60)
    out += `${Math.min(60, all.length - at).toString(16)}\r\n${all.toString('latin1', at, at + 60)}\r\n`;
  return `${out}0\r\n\r\n`;
};
const traceAscii = (text: string): string =>
  `=> Send data, ${text.length} bytes (0x${text.length.toString(16)})\n${(text.match(/.{1,64}/gs) ?? [])
    .map((part, at) => `${(at * 64).toString(16).padStart(4, '0')}: ${part}`)
    .join('\n')}\n== Info: upload completely sent off\n`;
const hexdump = (text: string): string =>
  (
    Buffer.from(text, 'utf8')
      .toString('latin1')
      .match(/.{1,16}/gs) ?? []
  )
    .map((part, at) => {
      const codes = part.split('').map(char => hex(char.charCodeAt(0)));
      return `${(at * 16).toString(16).padStart(8, '0')}  ${codes.slice(0, 8).join(' ').padEnd(23)}  ${codes.slice(8).join(' ').padEnd(23)}  |${part.replace(/[^\x20-\x7e]/g, '.')}|`;
    })
    .join('\n');
const dockerFile = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map(line =>
      JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-20T12:00:01.123456789Z' }),
    )
    .join('\n');
const cmd = (text: string): string =>
  `^"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[^a-zA-Z0-9\s_:=+~'/.,?;()*`-]/g, '^$&')
    .replace(/%(?=\w)/g, '%^')}^"`;
const powerShell = (text: string): string =>
  `"${text.replace(/[`$"]/g, '`$&').replace(/[^\x20-\x7e]/g, unit => `$([char]${unit.charCodeAt(0)})`)}"`;
const go = (text: string): string => (/[\s="\\]/.test(text) || text === '' ? JSON.stringify(text) : text);

const rtf = (text: string): string =>
  text.replace(/[\\{}]/g, '\\$&').replace(/[^\x20-\x7e]/g, unit => `\\u${(unit.charCodeAt(0) << 16) >> 16}?`);
const camel = (name: string): string =>
  name.replace(/_(\w)/g, (_found, letter: string) => letter.toUpperCase());
const pascal = (name: string): string => `${name.charAt(0).toUpperCase()}${camel(name).slice(1)}`;

const carrier = (name: string, print: Carrier['print'], ...not: Kind[]): Carrier => ({ name, print, not });

const stamp = '2026-11-20 12:00:01';
/** What containers, collectors and tools put before each line of their output. */
const prefixes: [string, (line: number) => string][] = [
  ['docker compose', () => 'web-1  | '],
  ['journalctl', () => 'Nov 20 12:00:01 shop php[4711]: '],
  ['PM2', () => '0|app      | '],
  ['grep -n', line => `${line + 117}:`],
  ['grep with the file', line => `storage/logs/app.log:${line + 98}:`],
  ['cat -n', line => `${String(line + 1).padStart(6)}\t`],
  ['diff', () => '+'],
  ['time stamps', line => `[2026-11-20 12:00:01.${String(line * 7).padStart(3, '0')}] `],
  ['Kubernetes', line => `2026-11-20T12:00:01.${String(123456000 + line)}Z stdout F `],
  ['a quoted mail', () => '> '],
  ['a twice quoted mail', () => '>> '],
  ['comments', () => '# '],
  ['colours', () => '\u001b[36mapp\u001b[0m | '],
];

/** How a value is written in a carrier of carriers.tsv. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  ascii,
  base64,
  breaks: text => text.replaceAll('\n', '\\n'),
  bytes: text => bytes(text, byte => `\\x${hex(byte)}`).replaceAll("'", "\\'"),
  camel,
  cell: text => (text.includes('"') ? doubled(text) : text),
  cmd,
  crlf: text => text.replaceAll('\n', '\r\n'),
  docker: dockerFile,
  double,
  doubled,
  encode,
  go,
  hexdump,
  html,
  inner: text => JSON.stringify(text).slice(1, -1),
  json: text => JSON.stringify(text),
  mysql: text => text.replaceAll('\\', '\\\\').replaceAll("'", "''"),
  nginx: text => bytes(text, byte => `\\x${hex(byte).toUpperCase()}`),
  pad17: text => text.padEnd(17),
  pad20: text => text.padEnd(20),
  pad30: text => text.padEnd(30),
  pascal,
  powerShell,
  properties: text => text.replaceAll('\\', '\\\\').replace(/[:=#!]/g, '\\$&'),
  python,
  quoted: quotedPrintable,
  quotes: text => text.replaceAll('"', '\\"'),
  reply: text => prefixed(text, () => '> '),
  rsyslog: text => text.replaceAll('\n', '#012'),
  rtf,
  shell: text => text.replaceAll("'", "'\\''"),
  single,
  size: text => String(Buffer.byteLength(text)),
  slashes: text => text.replaceAll('/', '\\/'),
  split: text =>
    text.includes(' ') && !/['"\\]/.test(text) ? `'${text.replace(' ', " '\n '")}'` : python(text),
  sql: text => text.replaceAll("'", "''"),
  start20: text => text.padStart(20),
  start24: text => `"${text}"`.padStart(24),
  trace: traceAscii,
  twice: encodeURIComponent,
  underscores: text => text.replaceAll('_', '\\_'),
  upper: text => text.toUpperCase(),
  words: text => `${text.charAt(0).toUpperCase()}${text.slice(1).replaceAll('_', ' ')}`,
  wrap72: text => wrap(text, 72),
  wrap76: text => wrap(text, 76),
  wrap80: text => wrap(text, 80),
  x22: text => text.replace(/["\\]/g, char => `\\x${hex(char.charCodeAt(0)).toUpperCase()}`),
  zeros: text => text.replace(/[^]/gu, char => `${char}\0`),
};

/** What `{name}` stands for in a carrier of carriers.tsv. */
const parts: Readonly<Record<string, (fields: CallbackFields) => string>> = {
  body,
  br: fields => `<p>${each(fields, (n, v) => `${n}: ${html(v)}`, '<br>')}</p>`,
  colons: fields => lines(fields, ': '),
  commas: fields => each(fields, name => name, ','),
  count: ({ length }) => String(length),
  indented: fields => json(fields, 2),
  inspect: inspected,
  json: fields => json(fields),
  lines: fields => lines(fields),
  multipart,
  pairs: fields => JSON.stringify(fields),
  print_r: printR,
  semicolons: fields => each(fields, name => name, ';'),
  table: htmlTable,
  tabs: fields => each(fields, name => name, '\t'),
  ticks: fields => each(fields, name => `\`${name}\``, ', '),
  var_dump: varDump,
  xml,
};

/** A template with its values; `{v|double|upper}` is a value that was written in these ways, one after the other. */
const fill = (template: string, valueOf: (name: string) => string | undefined): string =>
  template.replace(/\{(\w+)((?:\|\w+)*)\}/g, (found, name: string, ways: string) => {
    const value = valueOf(name);
    return value === undefined
      ? found
      : ways
          .split('|')
          .slice(1)
          .reduce((text, way) => writings[way]?.(text) ?? `no way ${way}`, value);
  });

/** The carriers of carriers.tsv: a start, each parameter in the same way with a separator between, an end. */
const tabled = readFileSync(join(import.meta.dirname, 'carriers.tsv'), 'utf8')
  .trimEnd()
  .split(/\r?\n/)
  .slice(1)
  .map(row => {
    const [name = '', start = '', pair = '', separator = '', end = '', not = '', order] = row
      .split('\t')
      .map(cell => cell.replace(/\\(?:[nrt\\]|u[\da-f]{4})/g, escape => JSON.parse(`"${escape}"`) as string));
    const print = (fields: CallbackFields): string => {
      const part = (of: string): string | undefined => parts[of]?.(fields);
      const all = (n: string, v: string): string => fill(pair, of => ({ n, v, nv: `${n}=${v}` })[of]);
      const between = each(order === 'sorted' ? sorted(fields) : fields, all, separator);
      return fill(start, part) + (pair === '' ? '' : between) + fill(end, part);
    };
    return carrier(name, print, ...kinds.filter(kind => not.split(' ').includes(kind)));
  });

export const carriers: readonly Carrier[] = [
  ...tabled,
  carrier('a form body with %20', fields => body(fields).replaceAll('+', '%20')),
  carrier('JSON in a body', fields => JSON.stringify({ at: 1, event: { body: object(fields) } }, null, 2)),
  carrier('raw HTTP, chunked', fields => chunked(body(fields))),
  carrier('PHP print_r in one line', fields => printR(fields).replace(/\n */g, ' '), 'emoji'),
  carrier(
    'JSON with curly quotes',
    fields => json(fields).replace(/(?<!\\)"([^"]*)(?<!\\)"/g, '“$1”'),
    'quotes',
  ),
  carrier('Apache dumpio', fields =>
    (body(fields).match(/.{1,120}/gs) ?? [])
      .map(
        part =>
          `[Fri Nov 20 12:00:01.1 2026] [dumpio:trace7] [pid 12] mod_dumpio.c(103): [client 192.0.2.1:4711] mod_dumpio:  dumpio_in (data-HEAP): ${part}`,
      )
      .join('\n'),
  ),
  ...prefixes.flatMap(([name, prefix]) => [
    carrier(`print_r behind ${name}`, fields => prefixed(printR(fields), prefix)),
    carrier(`inspect behind ${name}`, fields => prefixed(inspected(fields), prefix)),
    carrier(`lines behind ${name}`, fields => prefixed(lines(fields), prefix)),
    carrier(`JSON behind ${name}`, fields => prefixed(json(fields, 2), prefix)),
  ]),
  carrier('var_dump behind docker compose', fields => prefixed(varDump(fields), () => 'web-1  | ')),
  carrier('inspect in colours', fields =>
    inspected(fields).replace(/: (['"].*['"])(,?)$/gm, ': \u001b[32m$1\u001b[39m$2'),
  ),
  carrier('MySQL table', fields => columns(fields, '| ', ' | ', ' |').replace('-RULE-', '+----+'), 'emoji'),
  carrier('psql table', fields => columns(fields, ' ', ' | ', '').replace('-RULE-', '----+----'), 'emoji'),
  carrier('gzip and base64', fields => gzipSync(body(fields)).toString('base64')),
  carrier('folded as a calendar', fields =>
    wrap(lines(fields, ': ').replaceAll('\n', '\r\n'), 1e6).replace(/([^\r\n]{74})(?=[^\r\n])/gu, '$1\r\n '),
  ),
  carrier(
    "curl with $'",
    fields =>
      `curl 'https://shop.example/n' \\\n  --data-raw $'${ascii(json(fields)).replaceAll('\\\\', '\\\\\\\\').replaceAll("'", "\\'")}'`,
    'quotes',
    'backslash',
  ),
  carrier('JSON with an amount as a number', fields =>
    json(fields).replace(/"order_amount":"([\d.]+)"/, '"order_amount":$1'),
  ),
  carrier('autolinked addresses', fields =>
    lines(fields, ': ').replaceAll('anna@example.com', 'anna@example.com <mailto:anna@example.com>'),
  ),
  carrier('a numbered list', fields => fields.map(([n, v], at) => `${at + 1}. ${n}: ${v}`).join('\n')),
  carrier('PHP error log', fields =>
    prefixed(printR(fields), at => (at === 0 ? '[20-Nov-2026 12:00:01 UTC] ' : '')),
  ),
  carrier('hash in two lines', fields => lines(fields).replace(/(hash=.{25})/, '$1\n')),
  carrier('id in two lines', fields => lines(fields).replace(/(id=.{20})/, '$1\n')),
];

/** What happens to a text that was copied in part, or cut by a limit: nothing is read wrongly and called forged. */
export const damages: readonly [name: string, text: (fields: CallbackFields) => string][] = [
  ['body cut in the hash', fields => body(fields).slice(0, -12)],
  ['body cut before the hash', fields => body(fields).replace(/&hash=.*/, '')],
  ['body cut in the description', fields => `${body(fields).slice(0, 145)}...`],
  ['body without its start', fields => body(fields).slice(60)],
  ['a log line cut at 200', fields => `${stamp} INFO body: ${body(fields).slice(0, 200)}…`],
  ['JSON cut', fields => json(fields).slice(0, 260)],
  ['JSON cut before the hash', fields => json(fields).replace(/,"hash.*/, '')],
  [
    'console.log cut',
    fields =>
      `{\n${each(fields.slice(0, 8), (n, v) => `  ${n}: ${python(v)}`, ',\n')},\n  ... 7 more items\n}`,
  ],
  ['print_r cut', fields => printR(fields).slice(0, 300)],
  ['lines without the hash', fields => lines(fields).replace(/\nhash=.*/, '')],
  ['lines with an ellipsis', fields => lines(fields).replace(/(order_description=.{3}).*/, '$1…')],
  ['lines with dots', fields => lines(fields).replace(/(order_description=.{3}).*/, '$1...')],
  ['a masked hash', fields => lines(fields).replace(/hash=.*/, 'hash=[FILTERED]')],
  ['a shortened id', fields => lines(fields).replace(/id=50a1361a-.*/, 'id=50a1361a…')],
  ['var_dump cut by Xdebug', fields => varDump(fields).replace(/(order_description.*\n.*"...).*"/, '$1"...')],
  [
    'a description over two lines',
    fields => lines(fields, ': ').replace(/(order_description: .{4,8}) /, '$1\n'),
  ],
  ['a soft hyphen', fields => lines(fields).replace(/(order_description=.{3})/, '$1\u00ad')],
  ['lost characters', fields => lines(fields).replace(/(order_description=.{2})./, '$1\ufffd')],
  ['rsyslog cut', fields => `shop app: ${lines(fields).replaceAll('\n', '#012').slice(0, 240)}`],
  ['PDF blanks in the hash', fields => lines(fields).replace(/(hash=.{20})/, '$1 ')],
];
