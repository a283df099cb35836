import { gzipSync } from 'node:zlib';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { hashed, signedText } from '../../tools/evidence/sign-callback.ts';

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
  return [...fields, ['hash', hashed(signedText(fields) + password)]];
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
export type Kind = keyof typeof values;

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
const wrap = (text: string, columns: number, end = '\n'): string =>
  (text.match(new RegExp(`[^]{1,${columns}}`, 'gu')) ?? []).join(end);
export const quotedPrintable = (text: string): string =>
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
const inspected = (fields: CallbackFields): string => {
  const quote = (text: string): string =>
    !text.includes("'")
      ? single(text)
      : !text.includes('"')
        ? `"${text.replaceAll('\\', '\\\\')}"`
        : single(text);
  return `{\n${each(fields, (n, v) => `  ${n}: ${quote(v)}`, ',\n')}\n}\n`;
};
const lines = (fields: CallbackFields, sign = '='): string =>
  `${each(fields, (name, value) => name + sign + value, '\n')}\n`;
const xml = (fields: CallbackFields, gap = ''): string =>
  `<callback>${gap}${each(fields, (n, v) => `<${n}>${html(v)}</${n}>`, gap)}${gap}</callback>`;
const htmlTable = (fields: CallbackFields): string =>
  `<table><tr><th>Field</th><th>Value</th></tr>${each(fields, (n, v) => `<tr><td>${n}</td><td>${html(v)}</td></tr>`, '')}</table>`;
const columns = (fields: CallbackFields, start: string, sign: string, end: string): string => {
  const width = fields.map(([name, value]) => Math.max(name.length, value.length));
  const row = (cells: string[]): string =>
    `${start}${cells.map((cell, at) => cell.padEnd(width[at] ?? 0)).join(sign)}${end}\n`;
  return row(fields.map(([name]) => name)) + '-RULE-\n' + row(fields.map(([, value]) => value));
};
const request = (text: string, type: string): string =>
  `POST /notify HTTP/1.1\r\nHost: shop.example\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
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
const mime = (parts: [type: string, encoding: string, text: string][]): string =>
  `From: shop@example.com\r\nSubject: Callback\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="B"\r\n\r\n${parts
    .map(
      ([type, encoding, text]) =>
        `--B\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}\r\n`,
    )
    .join('')}--B--\r\n`;
const har = (fields: CallbackFields): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      entries: [
        {
          request: {
            method: 'POST',
            url: 'https://shop.example/notify',
            queryString: [],
            postData: {
              mimeType: 'application/x-www-form-urlencoded',
              params: fields.map(([name, value]) => ({ name, value })),
              text: body(fields),
            },
          },
        },
      ],
    },
  });
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

/** A carrier that writes each parameter in the same way. */
const pairs = (
  name: string,
  start: string,
  pair: Pair,
  separator: string,
  end: string,
  ...not: Kind[]
): Carrier => carrier(name, fields => start + each(fields, pair, separator) + end, ...not);

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

export const carriers: readonly Carrier[] = [
  // The exact forms.
  carrier('a form body', body),
  carrier('a form body with %20', fields => body(fields).replaceAll('+', '%20')),
  carrier('a form body with &amp;', fields => body(fields).replaceAll('&', '&amp;')),
  carrier('a form body encoded twice', fields => encodeURIComponent(body(fields))),
  carrier('JSON', fields => json(fields)),
  carrier('JSON, indented', fields => json(fields, 2)),
  carrier('JSON with \\u', fields => ascii(json(fields))),
  carrier('JSON with \\/', fields => json(fields).replaceAll('/', '\\/')),
  carrier('JSON in a body', fields => JSON.stringify({ at: 1, event: { body: object(fields) } }, null, 2)),
  carrier('JSON in JSON', fields => JSON.stringify({ body: json(fields) })),
  carrier('JSON in JSON in JSON', fields =>
    JSON.stringify({ message: JSON.stringify({ body: json(fields, 2) }) }),
  ),
  carrier('a form body in JSON', fields => JSON.stringify({ body: body(fields) })),
  carrier('base64 in JSON', fields => JSON.stringify({ isBase64Encoded: true, body: base64(body(fields)) })),
  carrier('JSON lists of values', fields =>
    JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, [value]]))),
  ),
  carrier('JSON pairs', fields => JSON.stringify(fields)),
  carrier('JSON keys and values', fields => JSON.stringify(fields.map(([key, value]) => ({ key, value })))),
  carrier('JSON Key and Value (Serilog)', fields =>
    JSON.stringify({ Form: fields.map(([Key, value]) => ({ Key, Value: [value] })) }),
  ),
  carrier('JSON dotted names (Elasticsearch)', fields =>
    JSON.stringify({
      '@timestamp': 'x',
      ...Object.fromEntries(fields.map(([name, value]) => [`payload.${name}`, value])),
    }),
  ),
  carrier('HAR', har),
  carrier('JSON lines of a container log', fields => dockerFile(json(fields, 2))),
  carrier('raw HTTP', fields => request(body(fields), 'application/x-www-form-urlencoded')),
  carrier('raw HTTP, JSON', fields => request(json(fields, 2), 'application/json')),
  carrier('raw HTTP, multipart', fields => request(multipart(fields), 'multipart/form-data; boundary=X7b')),
  carrier('raw HTTP, chunked', fields => chunked(body(fields))),
  carrier('raw HTTP, query', fields => `GET /notify?${body(fields)} HTTP/1.1\r\nHost: shop.example\r\n\r\n`),
  carrier('multipart', multipart),
  // Lines.
  carrier('lines', fields => lines(fields)),
  carrier('lines, CRLF and mark', fields => `\uFEFF${lines(fields).replaceAll('\n', '\r\n')}`),
  pairs('lines with &', '', (n, v) => `  ${n}=${v}`, '&\n', ''),
  carrier('lines, encoded', fields => body(fields).replaceAll('&', '\n')),
  carrier('lines, double-spaced', fields => lines(fields).replaceAll('\n', '\n\n')),
  carrier('lines with colons', fields => lines(fields, ': ')),
  carrier('lines with bare colons', fields => lines(fields, ':')),
  carrier('lines with tabs', fields => lines(fields, '\t')),
  carrier('lines with commas', fields => lines(fields, ',')),
  carrier('lines with semicolons', fields => lines(fields, ';')),
  pairs('lines, aligned =', '', (n, v) => `${n.padEnd(20)} = ${v}`, '\n', ''),
  carrier('lines with no-break spaces', fields => lines(fields, '\u00a0=\u00a0')),
  pairs('names and values by turns', '', (n, v) => `${n}\n${v}`, '\n', ''),
  pairs('webhook.site form values', 'Form values\n', (n, v) => `${n}\n\t${v}`, '\n', '\n'),
  carrier('Postman bulk edit', fields => lines(fields, ':')),
  pairs('psql \\x', '-[ RECORD 1 ]-----+--------------\n', (n, v) => `${n.padEnd(17)} | ${v}`, '\n', '\n'),
  pairs(
    'MySQL \\G',
    '*************************** 1. row ***************************\n',
    (n, v) => `${n.padStart(20)}: ${v}`,
    '\n',
    '\n1 row in set (0.00 sec)\n',
  ),
  pairs('PowerShell Format-List', '', (n, v) => `${n.padEnd(17)} : ${v}`, '\n', ''),
  pairs(
    'PowerShell table',
    'Name                           Value\n----                           -----\n',
    (n, v) => `${n.padEnd(30)} ${v}`,
    '\n',
    '\n',
  ),
  pairs('bullets', '', (n, v) => `• ${n}: ${v}`, '\n', ''),
  pairs('bold Markdown', '', (n, v) => `- **${n}**: ${v}`, '\n', ''),
  carrier('Markdown code', fields => `\`\`\`\n${lines(fields)}\`\`\`\n`),
  pairs('Markdown table', '| Field | Value |\n|---|---|\n', (n, v) => `| ${n} | ${v} |`, '\n', '\n'),
  pairs('Jira table', '', (n, v) => `|${n}|${v}|`, '\n', ''),
  pairs('YAML', '', (n, v) => `${n}: ${double(v)}`, '\n', ''),
  pairs('YAML, single quotes', '', (n, v) => `  ${n}: '${v.replaceAll("'", "''")}'`, '\n', ''),
  pairs('TOML', '[callback]\n', (n, v) => `${n} = ${double(v)}`, '\n', '\n'),
  pairs('protobuf text', '', (n, v) => `${n}: ${double(v)}`, '\n', ''),
  pairs(
    'Java properties',
    '',
    (n, v) => `${n}=${v.replaceAll('\\', '\\\\').replace(/[:=#!]/g, '\\$&')}`,
    '\n',
    '',
  ),
  pairs('export', '', (n, v) => `export ${n}='${v.replaceAll("'", "'\\''")}'`, '\n', ''),
  pairs('upper case', '', (n, v) => `${n.toUpperCase()}: ${v}`, '\n', ''),
  pairs(
    'Wireshark',
    'HTML Form URL Encoded\n',
    (n, v) => `    Form item: "${n}" = "${v}"\n        Key: ${n}\n        Value: ${v}`,
    '\n',
    '',
    'quotes',
  ),
  // Dumps of languages.
  carrier('PHP print_r', printR),
  carrier('PHP print_r in one line', fields => printR(fields).replace(/\n */g, ' '), 'emoji'),
  pairs('PHP print_r of an object', 'stdClass Object\n(\n', (n, v) => `    [${n}] => ${v}\n`, '', ')\n'),
  pairs('PHP var_export', 'array (\n', (n, v) => `  '${n}' => ${single(v)},\n`, '', ')'),
  pairs('PHP short array', '[\n', (n, v) => `    '${n}' => ${single(v)},\n`, '', ']'),
  carrier('PHP var_dump', varDump),
  carrier(
    'PHP var_dump of Xdebug',
    fields =>
      `array (size=${fields.length})\n${each(fields, (n, v) => `  '${n}' => string '${v}' (length=${Buffer.byteLength(v)})\n`, '')}`,
  ),
  carrier('PHP serialize', fields => {
    const text = (value: string): string => `s:${Buffer.byteLength(value)}:"${value}";`;
    return `a:${fields.length}:{${each(fields, (name, value) => text(name) + text(value), '')}}`;
  }),
  carrier(
    'Symfony dump',
    fields => `array:${fields.length} [\n${each(fields, (n, v) => `  "${n}" => "${v}"\n`, '')}]`,
  ),
  carrier(
    'Laravel log',
    fields => `[${stamp}] production.INFO: callback ${json(fields).replaceAll('/', '\\/')} []`,
  ),
  carrier('JavaScript inspect', inspected),
  carrier('JavaScript inspect of a form', fields => `[Object: null prototype] ${inspected(fields)}`),
  carrier(
    'JavaScript Map',
    fields =>
      `Map(${fields.length}) {\n${each(fields, (n, v) => `  ${single(n)} => ${single(v)}`, ',\n')}\n}`,
  ),
  pairs(
    'JavaScript URLSearchParams',
    'URLSearchParams {\n',
    (n, v) => `  ${single(n)} => ${single(v)}`,
    ',\n',
    ' }',
  ),
  pairs('Chrome console', '{', (n, v) => `${n}: '${v}'`, ', ', '}', 'apostrophe'),
  pairs('JSON5', '{\n', (n, v) => `  ${n}: ${double(v)},`, '\n', '\n}'),
  carrier(
    'JSON with curly quotes',
    fields => json(fields).replace(/(?<!\\)"([^"]*)(?<!\\)"/g, '“$1”'),
    'quotes',
  ),
  pairs('Python dict', '{', (n, v) => `'${n}': ${python(v)}`, ', ', '}'),
  carrier('Python pprint', fields => `{${each(sorted(fields), (n, v) => `'${n}': ${python(v)}`, ',\n ')}}`),
  pairs('Python QueryDict', '<QueryDict: {', (n, v) => `'${n}': [${python(v)}]`, ', ', '}>'),
  pairs('Python ImmutableMultiDict', 'ImmutableMultiDict([', (n, v) => `('${n}', ${python(v)})`, ', ', '])'),
  pairs('Python tuples line by line', '', (n, v) => `('${n}', ${python(v)})`, '\n', ''),
  pairs('Python dataclass', 'Callback(', (n, v) => `${n}=${python(v)}`, ', ', ')'),
  pairs(
    'Python bytes',
    '{',
    (n, v) => `b'${n}': b'${bytes(v, byte => `\\x${hex(byte)}`).replaceAll("'", "\\'")}'`,
    ', ',
    '}',
  ),
  carrier(
    'Python JSON repr',
    fields => `'${ascii(json(fields)).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  ),
  pairs('Ruby hash', '{', (n, v) => `"${n}"=>${double(v)}`, ', ', '}'),
  pairs('Ruby 3.4 hash', '{', (n, v) => `"${n}" => ${double(v)}`, ', ', '}'),
  pairs('Ruby symbols', '{', (n, v) => `:${n}=>${double(v)}`, ', ', '}'),
  pairs('Ruby keywords', '{', (n, v) => `${n}: ${double(v)}`, ', ', '}'),
  pairs(
    'Rails parameters',
    'I, [2026-11-20T12:00:01.1 #7]  INFO -- :   Parameters: {',
    (n, v) => `"${n}"=>${double(v)}`,
    ', ',
    '}',
  ),
  carrier('Go map', fields => `map[${each(sorted(fields), (n, v) => `${n}:${v}`, ' ')}]`),
  carrier('Go url.Values', fields => `map[${each(sorted(fields), (n, v) => `${n}:[${v}]`, ' ')}]`),
  carrier(
    'Go %#v',
    fields => `url.Values{${each(sorted(fields), (n, v) => `"${n}":[]string{${JSON.stringify(v)}}`, ', ')}}`,
  ),
  pairs('Java map', '{', (n, v) => `${n}=${v}`, ', ', '}'),
  pairs('Java String[] map', '{', (n, v) => `${n}=[${v}]`, ', ', '}'),
  pairs('C# anonymous type', '{ ', (n, v) => `${n} = ${v}`, ', ', ' }'),
  pairs('C# pairs', '', (n, v) => `[${n}, ${v}]`, '\n', ''),
  pairs('Scala Map', 'Map(', (n, v) => `${n} -> ${v}`, ', ', ')'),
  pairs('Clojure', '{', (n, v) => `:${n} ${double(v)}`, ', ', '}'),
  pairs('Erlang', '[', (n, v) => `{<<"${n}">>,<<${double(v)}>>}`, ',\n ', ']'),
  pairs('Elixir', '%{', (n, v) => `"${n}" => ${double(v)}`, ', ', '}'),
  pairs('Lua', '{\n', (n, v) => `  ["${n}"] = ${double(v)},\n`, '', '}'),
  pairs('Perl Dumper', '$VAR1 = {\n', (n, v) => `          '${n}' => ${single(v)}`, ',\n', '\n        };'),
  pairs('Rust', '{', (n, v) => `"${n}": ${double(v)}`, ', ', '}'),
  pairs('Rust struct', 'Callback { ', (n, v) => `${n}: ${double(v)}`, ', ', ' }'),
  pairs('Swift', '[', (n, v) => `"${n}": ${double(v)}`, ', ', ']'),
  pairs('PowerShell hash', '@{\n', (n, v) => `  ${n} = '${v.replaceAll("'", "''")}'`, '\n', '\n}'),
  carrier('DynamoDB', fields =>
    JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, { S: value }]))),
  ),
  // Logs.
  carrier(
    'nginx \\x22',
    fields =>
      `192.0.2.1 - - [20/Nov/2026:12:00:01 +0000] "POST /hook HTTP/1.1" 500 0 "-" "gateway" "${bytes(json(fields), byte => `\\x${hex(byte).toUpperCase()}`)}"`,
  ),
  carrier(
    'nginx \\x22, UTF-8 kept',
    fields =>
      `192.0.2.1 - "POST /hook" "${json(fields).replace(/["\\]/g, char => `\\x${hex(char.charCodeAt(0)).toUpperCase()}`)}"`,
  ),
  carrier(
    'access log',
    fields =>
      `203.0.113.9 - - [20/Nov/2026:12:00:01 +0000] "GET /notify?${body(fields)} HTTP/1.1" 200 2 "-" "GuzzleHttp/7"`,
  ),
  carrier('a log line with JSON', fields => `${stamp} INFO [app] callback ${json(fields)} took 3ms`),
  carrier(
    'a log line with a JSON string',
    fields => `level=info msg=callback body=${JSON.stringify(json(fields))} ms=3`,
  ),
  carrier('a log line with a body', fields => `${stamp} INFO body: ${body(fields)}`),
  carrier(
    'a log line with a body in quotes',
    fields => `${stamp} INFO received ${JSON.stringify({ body: body(fields) })}`,
  ),
  pairs(
    'logfmt',
    'time=2026-11-20T12:00:00Z level=INFO msg="callback received" ',
    (n, v) => `${n}=${go(v)}`,
    ' ',
    '',
  ),
  pairs('logfmt in a group', 'level=info msg="callback" ', (n, v) => `form.${n}=${go(v)}`, ' ', ' took=3ms'),
  pairs('pairs with commas', 'callback: ', (n, v) => `${n}=${v}`, ', ', ''),
  pairs('pairs with bars', 'callback: ', (n, v) => `${n}=${v}`, ' | ', ''),
  pairs('pairs with semicolons', 'callback: ', (n, v) => `${n}: ${v}`, '; ', ''),
  carrier('rsyslog #012', fields => `Nov 20 12:00:01 shop app: ${lines(fields).replaceAll('\n', '#012')}`),
  carrier(
    'rsyslog #012, print_r',
    fields => `Nov 20 12:00:01 shop app: ${printR(fields).replaceAll('\n', '#012')}`,
  ),
  carrier(
    'escaped line breaks',
    fields => `"${lines(fields).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  ),
  carrier('curl --trace-ascii', fields => traceAscii(body(fields))),
  carrier('hexdump', fields => hexdump(body(fields))),
  carrier('Apache dumpio', fields =>
    (body(fields).match(/.{1,120}/gs) ?? [])
      .map(
        part =>
          `[Fri Nov 20 12:00:01.1 2026] [dumpio:trace7] [pid 12] mod_dumpio.c(103): [client 192.0.2.1:4711] mod_dumpio:  dumpio_in (data-HEAP): ${part}`,
      )
      .join('\n'),
  ),
  carrier('Datadog', fields =>
    JSON.stringify({ message: 'callback', attributes: { http: { body: object(fields) } } }),
  ),
  carrier('CloudWatch CSV', fields => `timestamp,message\n1795176001,${doubled(json(fields))}\n`),
  ...prefixes.flatMap(([name, prefix]) => [
    carrier(`print_r behind ${name}`, fields => prefixed(printR(fields), prefix)),
    carrier(`inspect behind ${name}`, fields => prefixed(inspected(fields), prefix)),
    carrier(`lines behind ${name}`, fields => prefixed(lines(fields), prefix)),
    carrier(`JSON behind ${name}`, fields => prefixed(json(fields, 2), prefix)),
  ]),
  carrier('print_r in a container file', fields => dockerFile(printR(fields))),
  carrier('inspect in a container file', fields => dockerFile(inspected(fields))),
  carrier('var_dump behind docker compose', fields => prefixed(varDump(fields), () => 'web-1  | ')),
  carrier('inspect in colours', fields =>
    inspected(fields).replace(/: (['"].*['"])(,?)$/gm, ': \u001b[32m$1\u001b[39m$2'),
  ),
  // Tables.
  carrier(
    'CSV',
    fields => `${each(fields, name => name, ',')}\r\n${each(fields, (_n, v) => doubled(v), ',')}\r\n`,
  ),
  carrier(
    'CSV, semicolons and mark',
    fields => `\uFEFF${each(fields, name => name, ';')}\r\n${each(fields, (_n, v) => doubled(v), ';')}\r\n`,
  ),
  carrier(
    'CSV with sep=',
    fields =>
      `sep=;\r\n${each(fields, name => name, ';')}\r\n${each(fields, (_n, v) => doubled(v), ';')}\r\n`,
  ),
  carrier('tabs', fields => `${each(fields, name => name, '\t')}\r\n${each(fields, (_n, v) => v, '\t')}\r\n`),
  pairs('two columns of CSV', '', (n, v) => `${doubled(n)},${doubled(v)}`, '\r\n', ''),
  carrier('CSV of bodies', fields => `time,path,body\n2026-11-20,/notify,${doubled(body(fields))}\n`),
  carrier('CSV of JSON bodies', fields => `time,path,body\n2026-11-20,/notify,${doubled(json(fields))}\n`),
  carrier(
    'SQL INSERT',
    fields =>
      `INSERT INTO \`callbacks\` (${each(fields, name => `\`${name}\``, ', ')}) VALUES\n(${each(fields, (_n, v) => `'${v.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`, ', ')});`,
  ),
  pairs(
    'SQL UPDATE',
    'UPDATE callbacks SET ',
    (n, v) => `${n} = '${v.replaceAll("'", "''")}'`,
    ', ',
    ' WHERE n = 7;',
  ),
  carrier('MySQL table', fields => columns(fields, '| ', ' | ', ' |').replace('-RULE-', '+----+'), 'emoji'),
  carrier('psql table', fields => columns(fields, ' ', ' | ', '').replace('-RULE-', '----+----'), 'emoji'),
  carrier('HTML table', htmlTable),
  pairs(
    'HTML table, lines',
    '<table>\n',
    (n, v) => `  <tr>\n    <td class="k">${n}</td>\n    <td>${html(v)}</td>\n  </tr>`,
    '\n',
    '\n</table>',
  ),
  pairs('HTML list', '<dl>', (n, v) => `<dt>${n}</dt><dd>${html(v)}</dd>`, '', '</dl>'),
  pairs('HTML hidden inputs', '', (n, v) => `<input type="hidden" name="${n}" value="${html(v)}">`, '\n', ''),
  pairs('HTML lines with br', '<p>', (n, v) => `${n}: ${html(v)}`, '<br>\n', '</p>'),
  carrier('print_r in a page', fields => `<pre>${html(printR(fields))}</pre>`),
  carrier('JSON in a page', fields => `<code>${html(json(fields))}</code>`),
  carrier('XML', fields => xml(fields)),
  carrier('XML, lines', fields => xml(fields, '\n  ')),
  pairs('XML attributes', '<callback ', (n, v) => `${n}="${html(v)}"`, ' ', '/>'),
  pairs(
    'XML entries (Java)',
    '<map>\n',
    (n, v) => `  <entry key="${n}">${html(v)}</entry>`,
    '\n',
    '\n</map>',
  ),
  // Mails and what mail programs do.
  carrier('a mail', fields => `Hello,\n\nthis came today:\n\n${lines(fields, ': ')}\nRegards\nAnna\n`),
  carrier('a form body wrapped at 76', fields => wrap(body(fields), 76)),
  carrier(
    'a form body wrapped in a mail',
    fields => `Hello,\r\n\r\nthis came:\r\n\r\n${wrap(body(fields), 72, '\r\n')}\r\n\r\nRegards\r\n`,
  ),
  carrier('a form body wrapped in a quoted mail', fields => `> ${wrap(body(fields), 72, '\n> ')}\n`),
  carrier('quoted-printable body', fields => quotedPrintable(body(fields))),
  carrier('quoted-printable JSON', fields => quotedPrintable(json(fields))),
  carrier('quoted-printable lines', fields => quotedPrintable(lines(fields))),
  carrier(
    'a quoted-printable mail',
    fields =>
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quotedPrintable(`Hello\n\n${lines(fields, ': ')}\nRegards\n`)}`,
  ),
  carrier('eml, plain and HTML', fields =>
    mime([
      ['text/plain', 'quoted-printable', quotedPrintable(lines(fields, ': '))],
      ['text/html', 'quoted-printable', quotedPrintable(htmlTable(fields))],
    ]),
  ),
  carrier('eml, base64', fields =>
    mime([['text/plain', 'base64', wrap(base64(lines(fields, ': ')), 76, '\r\n')]]),
  ),
  carrier('eml, HTML with br', fields =>
    mime([
      [
        'text/html',
        'quoted-printable',
        quotedPrintable(`<p>${each(fields, (n, v) => `${n}: ${html(v)}`, '<br>')}</p>`),
      ],
    ]),
  ),
  carrier('base64', fields => wrap(base64(body(fields)), 76)),
  carrier('base64 of JSON', fields => base64(json(fields))),
  carrier('gzip and base64', fields => gzipSync(body(fields)).toString('base64')),
  carrier('folded as a calendar', fields =>
    wrap(lines(fields, ': ').replaceAll('\n', '\r\n'), 1e6).replace(/([^\r\n]{74})(?=[^\r\n])/gu, '$1\r\n '),
  ),
  // Commands.
  carrier('curl --data-urlencode', fields =>
    [
      "curl -X POST 'https://shop.example/notify'",
      ...fields.map(([n, v]) => `  --data-urlencode '${`${n}=${v}`.replaceAll("'", "'\\''")}'`),
    ].join(' \\\n'),
  ),
  pairs('curl -d each', 'curl https://shop.example/n ', (n, v) => `-d '${n}=${encode(v)}'`, ' ', ''),
  pairs('curl -F', 'curl https://shop.example/n \\\n', (n, v) => `  -F ${double(`${n}=${v}`)}`, ' \\\n', ''),
  carrier('curl -d', fields => `$ curl https://shop.example/notify -d '${body(fields)}'`),
  carrier(
    'curl for cmd',
    fields =>
      `curl ^"https://shop.example/notify^" ^\r\n  -H ^"content-type: x^" ^\r\n  --data-raw ${cmd(body(fields))}`,
  ),
  carrier(
    'curl for cmd, JSON',
    fields => `curl ^"https://shop.example/notify^" ^\r\n  --data-raw ${cmd(json(fields))} ^\r\n  --insecure`,
  ),
  carrier(
    "curl with $'",
    fields =>
      `curl 'https://shop.example/n' \\\n  --data-raw $'${ascii(json(fields)).replaceAll('\\\\', '\\\\\\\\').replaceAll("'", "\\'")}'`,
    'quotes',
    'backslash',
  ),
  carrier(
    'PowerShell request',
    fields =>
      `Invoke-WebRequest -Uri "https://shop.example/n" \`\n-Method "POST" \`\n-Body ${powerShell(body(fields))}`,
  ),
  carrier(
    'PowerShell request, JSON',
    fields => `Invoke-WebRequest -Uri "https://shop.example/n" \`\n-Body ${powerShell(json(fields))}`,
  ),
  // More tools.
  pairs('camelCase names', 'Callback(', (n, v) => `${camel(n)}=${v}`, ', ', ')'),
  pairs('PascalCase names', '', (n, v) => `${pascal(n)}: ${v}`, '\n', ''),
  pairs('Go struct', '&{', (n, v) => `${pascal(n)}:${v}`, ' ', '}'),
  pairs(
    'names with blanks',
    '',
    (n, v) => `${n.charAt(0).toUpperCase()}${n.slice(1).replaceAll('_', ' ')}: ${v}`,
    '\n',
    '',
  ),
  pairs('escaped underscores', '', (n, v) => `${n.replaceAll('_', '\\_')}: ${v}`, '\n', ''),
  pairs('logstash rubydebug', '{\n', (n, v) => `${`"${n}"`.padStart(24)} => ${double(v)}`, ',\n', '\n}'),
  pairs('Kibana table', '', (n, v) => `t\n\t${n}\n\t${v}`, '\n', ''),
  pairs('Splunk', '', (n, v) => `${n}="${v.replaceAll('"', '\\"')}"`, ' ', ''),
  pairs(
    'devtools form data',
    'Form Data\nview source\nview URL-encoded\n',
    (n, v) => `${n}: ${v}`,
    '\n',
    '\n',
  ),
  carrier(
    'object(stdClass)',
    fields =>
      `object(stdClass)#3 (${fields.length}) {\n${each(fields, (n, v) => `  ["${n}"]=>\n  string(${Buffer.byteLength(v)}) "${v}"`, '\n')}\n}`,
  ),
  carrier(
    'Symfony dump with arrows',
    fields => `array:${fields.length} [▼\n${each(fields, (n, v) => `  "${n}" => "${v}"`, '\n')}\n]`,
    'quotes',
  ),
  carrier(
    'pprint with split strings',
    fields =>
      `{${each(fields, (n, v) => `'${n}': ${v.includes(' ') && !/['"\\]/.test(v) ? `'${v.replace(' ', " '\n '")}'` : python(v)}`, ',\n ')}}`,
  ),
  pairs('JSON in single quotes', '{', (n, v) => `'${n}':${single(v)}`, ',', '}'),
  pairs('JSON with a trailing comma', '{\n', (n, v) => `  "${n}": ${JSON.stringify(v)},\n`, '', '}'),
  pairs('JSON without braces', '', (n, v) => `"${n}": ${JSON.stringify(v)}`, ',\n', ''),
  carrier('JSON with an amount as a number', fields =>
    json(fields).replace(/"order_amount":"([\d.]+)"/, '"order_amount":$1'),
  ),
  pairs('Java toString with =', 'WebhookRequest[', (n, v) => `${n}=${v}`, ', ', ']'),
  pairs('Kotlin', 'Callback(', (n, v) => `${n}="${v}"`, ', ', ')', 'quotes'),
  pairs('Objective-C', '{\n', (n, v) => `    "${n}" = ${double(v)};`, '\n', '\n}'),
  pairs('Dart', '{', (n, v) => `${n}: ${v}`, ', ', '}'),
  pairs('R list', '', (n, v) => `$${n}\n[1] ${double(v)}\n`, '\n', ''),
  pairs('OCaml', '[', (n, v) => `("${n}", ${double(v)})`, '; ', ']'),
  pairs('Haskell', '[', (n, v) => `("${n}",${JSON.stringify(v)})`, ',', ']', 'umlauts', 'emoji'),
  carrier('Nginx post args', fields => `request_body: "${body(fields)}"`),
  carrier(
    'mod_security',
    fields =>
      `--a1b2-A--\n[20/Nov/2026:12:00:01 +0000] x 192.0.2.1 4711\n--a1b2-B--\nPOST /hook HTTP/1.1\nHost: shop.example\nContent-Type: application/x-www-form-urlencoded\n\n--a1b2-C--\n${body(fields)}\n--a1b2-F--\nHTTP/1.1 200 OK\n\n--a1b2-Z--\n`,
  ),
  carrier('Lambda event', fields =>
    JSON.stringify(
      { version: '2.0', headers: { host: 'x' }, body: base64(body(fields)), isBase64Encoded: true },
      null,
      2,
    ),
  ),
  carrier('a terminal of 80 columns, JSON', fields => wrap(json(fields), 80), 'emoji'),
  carrier('a terminal of 80 columns, body', fields => wrap(body(fields), 80)),
  carrier(
    'a terminal of 80 columns, inspect',
    fields => wrap(inspected(fields), 80),
    'plain',
    'umlauts',
    'quotes',
    'apostrophe',
    'signs',
    'emoji',
    'backslash',
    'one',
    'zero',
  ),
  pairs(
    'RTF',
    '{\\rtf1\\ansi\\deff0\n',
    (n, v) => `${n}=${rtf(v)}\\par`,
    '\n',
    '\n}',
    'umlauts',
    'emoji',
    'backslash',
  ),
  pairs(
    'an HTML page of an admin',
    '<html><body><h1>Callback</h1><div class="row">',
    (n, v) => `<div class="k">${n}</div><div class="v">${html(v)}</div>`,
    '</div>\n<div class="row">',
    '</div></body></html>',
  ),
  pairs('HTML with strong names', '', (n, v) => `<p><strong>${n}:</strong> ${html(v)}</p>`, '\n', ''),
  carrier(
    'var_dump in a page',
    fields =>
      `<pre class='xdebug-var-dump'><small>/a.php:3:</small>\n<b>array</b> <i>(size=${fields.length})</i>\n${each(fields, (n, v) => `  '${n}' <font color='#888a85'>=&gt;</font> <small>string</small> <font color='#cc0000'>'${html(v)}'</font> <i>(length=${Buffer.byteLength(v)})</i>`, '\n')}\n</pre>`,
  ),
  carrier('autolinked addresses', fields =>
    lines(fields, ': ').replaceAll('anna@example.com', 'anna@example.com <mailto:anna@example.com>'),
  ),
  carrier(
    'a forwarded mail',
    fields =>
      `-------- Forwarded message --------\nFrom: shop\nSubject: callback\nDate: Fri, 20 Nov 2026\n\n> Hello,\n>\n${prefixed(lines(fields), () => '> ')}\n>\n> Regards\n`,
  ),
  carrier('Slack with code', fields => `anna  12:01\nlook at this \`\`\`${lines(fields)}\`\`\` thanks`),
  pairs('Excel rows', '', (n, v) => `${n}\t${v.includes('"') ? doubled(v) : v}`, '\r\n', '', 'quotes'),
  carrier('a numbered list', fields => fields.map(([n, v], at) => `${at + 1}. ${n}: ${v}`).join('\n')),
  carrier('a Java log', fields =>
    each(
      fields,
      (n, v) => `2026-11-20 12:00:01.123 DEBUG 4711 --- [nio-8080-exec-7] c.e.shop.Hook : ${n} = ${v}`,
      '\n',
    ),
  ),
  pairs(
    'Apache error log',
    '[Fri Nov 20 12:00:01.1 2026] [php:notice] [pid 7] [client 192.0.2.1:4711] Array\\n(\\n',
    (n, v) => `    [${n}] => ${v}\\n`,
    '',
    ')\\n',
  ),
  carrier('PHP error log', fields =>
    prefixed(printR(fields), at => (at === 0 ? '[20-Nov-2026 12:00:01 UTC] ' : '')),
  ),
  carrier('GELF', fields =>
    JSON.stringify({
      version: '1.1',
      host: 'x',
      short_message: 'callback',
      ...Object.fromEntries(fields.map(([n, v]) => [`_${n}`, v])),
    }),
  ),
  carrier('journald export', fields =>
    JSON.stringify({ __CURSOR: 's=1', MESSAGE: `callback ${json(fields)}`, PRIORITY: '6' }),
  ),
  pairs(
    'Serilog compact',
    '[12:00:01 INF] Callback {"Form": [',
    (n, v) => `{"Key": "${n}", "Value": [${JSON.stringify(v)}], "$type": "KeyValuePair\`2"}`,
    ', ',
    ']}',
  ),
  pairs(
    'Serilog dictionary',
    '[12:00:01 INF] Callback [',
    (n, v) => `("${n}": [${JSON.stringify(v)}])`,
    ', ',
    ']',
  ),
  pairs('Sentry', '', (n, v) => `${n}\n"${v}"`, '\n', '', 'quotes'),
  pairs(
    'HTTPie',
    'http --form POST shop.example/hook \\\n',
    (n, v) => `  ${n}=${single(v)}`,
    ' \\\n',
    '',
    'apostrophe',
  ),
  pairs(
    'requests.post',
    `requests.post('https://shop.example/hook', data={`,
    (n, v) => `'${n}': ${python(v)}`,
    ', ',
    '})',
  ),
  carrier(
    'fetch',
    fields =>
      `fetch("https://shop.example/hook", {\n  "body": ${JSON.stringify(body(fields))},\n  "method": "POST"\n});`,
  ),
  carrier('axios', fields => `data: ${JSON.stringify(json(fields))}`),
  pairs('PHPUnit', `$this->post('/hook', [\n`, (n, v) => `    '${n}' => ${single(v)},`, '\n', '\n]);'),
  // Characters that programs add.
  pairs('a zero-width space behind values', '', (n, v) => `${n}=${v}\u200b`, '\n', ''),
  pairs('a zero-width space behind =', '', (n, v) => `${n}=\u200b${v}`, '\n', ''),
  pairs('right-to-left marks', '', (n, v) => `\u200f${n}=\u200e${v}\u200f`, '\n', ''),
  carrier(
    'zero bytes between (UTF-16)',
    fields => lines(fields).replace(/[^]/gu, char => `${char}\0`),
    'umlauts',
    'emoji',
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
