import type { CallbackFields, CallbackForm } from '../../shared/payments/evidence.ts';

/** Callbacks in the forms in which programs and people write them: the parser must read each one back. */

const encode = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*~]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

export const urlencoded = (fields: CallbackFields): string =>
  fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');

export const json = (fields: CallbackFields, indent?: number): string =>
  JSON.stringify(Object.fromEntries(fields), null, indent);

const php = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const python = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll('\u00a0', '\\xa0');
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
};

const ruby = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(/#(?=[{$@])/g, '\\#')}"`;

const printR = (fields: CallbackFields): string =>
  `Array\n(\n${fields.map(([name, value]) => `    [${name}] => ${value}\n`).join('')})\n`;

const varDump = (fields: CallbackFields): string =>
  `array(${fields.length}) {\n${fields
    .map(([name, value]) => `  ["${name}"]=>\n  string(${Buffer.byteLength(value)}) "${value}"\n`)
    .join('')}}\n`;

const multipart = (fields: CallbackFields): string =>
  `${fields.map(([name, value]) => `--X7b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--X7b--\r\n`;

const request = (body: string, type: string): string =>
  [
    'POST /notify/9f HTTP/1.1',
    'Host: shop.example',
    'User-Agent: GuzzleHttp/7',
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

const cell = (text: string, delimiter: string): string =>
  text.includes('"') || text.includes(delimiter) || /[\r\n]/.test(text) || text !== text.trim()
    ? `"${text.replaceAll('"', '""')}"`
    : text;

const csv = (fields: CallbackFields, delimiter: string): string =>
  `${fields.map(([name]) => name).join(delimiter)}\r\n${fields.map(([, value]) => cell(value, delimiter)).join(delimiter)}\r\n`;

const har = (fields: CallbackFields, withText: boolean): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'proxy', version: '1' },
      entries: [
        {
          startedDateTime: '2026-03-02T10:11:12Z',
          request: {
            method: 'POST',
            url: 'https://shop.example/notify',
            headers: [{ name: 'Host', value: 'shop.example' }],
            queryString: [],
            postData: {
              mimeType: 'application/x-www-form-urlencoded',
              params: fields.map(([name, value]) => ({ name, value })),
              ...(withText ? { text: urlencoded(fields) } : {}),
            },
          },
          response: { status: 200, content: { mimeType: 'text/plain', text: 'OK' } },
        },
      ],
    },
  });

export type Printer = {
  name: string;
  form: CallbackForm;
  /** `text`: a form without escapes, so that a value cannot contain a line break or a delimiter of the form. */
  escapes: boolean;
  print: (fields: CallbackFields) => string;
};

const printer = (name: string, form: CallbackForm, print: Printer['print'], escapes = true): Printer => ({
  name,
  form,
  escapes,
  print,
});

const lines = (fields: CallbackFields, indent: string, end: string): string =>
  fields.map(([name, value]) => `${indent}${name}=${value}`).join(end);

export const printers: readonly Printer[] = [
  printer('lines', 'lines', fields => `${lines(fields, '', '\n')}\n`, false),
  printer(
    'lines, CRLF and byte order mark',
    'lines',
    fields => `\uFEFF${lines(fields, '', '\r\n')}\r\n`,
    false,
  ),
  printer('indented lines with &', 'lines', fields => lines(fields, '  ', '&\n'), false),
  ...[
    ['tabs', '\t'],
    ['commas', ','],
    ['semicolons', ';'],
    ['bars', '|'],
  ].map(([name = '', sign = '']) =>
    printer(
      `table of two columns, ${name}`,
      'lines',
      fields => fields.map(([field, value]) => `${field}${sign}${value}`).join('\r\n'),
      false,
    ),
  ),
  printer(
    'table of two columns, quoted CSV',
    'lines',
    fields => fields.map(([name, value]) => `"${name}","${value.replaceAll('"', '""')}"`).join('\r\n'),
    false,
  ),
  printer(
    'names and values on separate lines',
    'lines',
    fields => fields.map(([name, value]) => `${name}\n${value}`).join('\n'),
    false,
  ),
  printer(
    'psql \\x',
    'lines',
    fields =>
      `-[ RECORD 1 ]-----+-----------------------------\n${fields
        .map(([name, value]) => `${name.padEnd(17)} | ${value}`)
        .join('\n')}\n`,
    false,
  ),
  printer('curl --data-urlencode', 'curl', fields =>
    [
      "curl -X POST 'https://shop.example/notify'",
      ...fields.map(
        ([name, value]) => `  --data-urlencode '${`${name}=${value}`.replaceAll("'", String.raw`'\''`)}'`,
      ),
    ].join(' \\\n'),
  ),
  printer('lines of encoded pairs', 'lines', fields => urlencoded(fields).replaceAll('&', '\n')),
  printer('double-spaced lines', 'lines', fields => lines(fields, '', '\n\n'), false),
  printer('quoted in an e-mail', 'lines', fields => lines(fields, '> ', '\n'), false),
  printer('urlencoded', 'urlencoded', urlencoded),
  printer('urlencoded with %20', 'urlencoded', fields => urlencoded(fields).replaceAll('+', '%20')),
  printer('urlencoded with &amp;', 'urlencoded', fields => urlencoded(fields).replaceAll('&', '&amp;')),
  printer('urlencoded twice', 'urlencoded', fields => encodeURIComponent(urlencoded(fields))),
  printer('values encoded twice', 'urlencoded', fields =>
    urlencoded(fields.map(([name, value]) => [name, encode(value)])),
  ),
  printer('JSON', 'json', fields => json(fields)),
  printer('JSON, indented', 'json', fields => json(fields, 2)),
  printer('JSON under a body', 'json', fields => JSON.stringify({ at: 1, body: Object.fromEntries(fields) })),
  printer('JSON deep under a body', 'json', fields =>
    JSON.stringify({ event: { request: { body: { params: Object.fromEntries(fields) } } } }, null, 2),
  ),
  printer('JSON in JSON', 'json', fields => JSON.stringify({ body: json(fields) })),
  printer('JSON in JSON in JSON', 'json', fields =>
    JSON.stringify({ message: JSON.stringify({ body: json(fields, 2) }) }),
  ),
  printer('a form body in JSON', 'json', fields => JSON.stringify({ body: urlencoded(fields) }, null, 1)),
  printer('a base64 body in JSON', 'json', fields =>
    JSON.stringify({ isBase64Encoded: true, body: Buffer.from(urlencoded(fields)).toString('base64') }),
  ),
  printer('JSON lists of values', 'json', fields =>
    JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, [value]]))),
  ),
  printer('JSON pairs', 'json', fields => JSON.stringify(fields)),
  printer('JSON keys and values', 'json', fields =>
    JSON.stringify(fields.map(([key, value]) => ({ key, value, type: 'text' }))),
  ),
  printer('JSON in a list', 'json', fields => `[${json(fields, 2)}]`),
  printer(
    'JavaScript inspect',
    'json',
    fields =>
      `[Object: null prototype] {\n${fields.map(([name, value]) => `  ${name}: '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`).join(',\n')}\n}`,
  ),
  printer('print_r', 'php-print-r', printR, false),
  printer('print_r after words', 'php-print-r', fields => `Callback received: ${printR(fields)}`, false),
  printer(
    'print_r, nested',
    'php-print-r',
    fields =>
      `Array\n(\n    [server] => x\n    [post] => Array\n        (\n${fields.map(([name, value]) => `            [${name}] => ${value}\n`).join('')}        )\n\n)\n`,
    false,
  ),
  printer(
    'var_export',
    'php-var-export',
    fields => `array (\n${fields.map(([name, value]) => `  ${php(name)} => ${php(value)},\n`).join('')})`,
  ),
  printer(
    'PHP short array',
    'php-var-export',
    fields =>
      `$data = [\n${fields.map(([name, value]) => `    ${php(name)} => ${php(value)},\n`).join('')}];`,
  ),
  printer(
    'PHP object',
    'php-var-export',
    fields =>
      `(object) array(\n${fields.map(([name, value]) => `   ${php(name)} => ${php(value)},\n`).join('')})`,
  ),
  printer('var_dump', 'php-var-dump', varDump),
  printer(
    'Python dict',
    'python-dict',
    fields => `{${fields.map(([name, value]) => `${python(name)}: ${python(value)}`).join(', ')}}`,
  ),
  printer(
    'Python parse_qs',
    'python-dict',
    fields =>
      `<QueryDict: {${fields.map(([name, value]) => `${python(name)}: [${python(value)}]`).join(', ')}}>`,
  ),
  printer(
    'Python pairs',
    'python-dict',
    fields =>
      `ImmutableMultiDict([${fields.map(([name, value]) => `(${python(name)}, ${python(value)})`).join(', ')}])`,
  ),
  printer(
    'Python 2 dict',
    'python-dict',
    fields =>
      `{${fields.map(([name, value]) => `u${python(name)}: u${python(value).replace(/[\u0080-\uffff]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}`).join(', ')}}`,
  ),
  printer(
    'Ruby hash',
    'ruby-hash',
    fields => `{${fields.map(([name, value]) => `${ruby(name)}=>${ruby(value)}`).join(', ')}}`,
  ),
  printer(
    'Ruby 3.4 hash',
    'ruby-hash',
    fields => `{${fields.map(([name, value]) => `${ruby(name)} => ${ruby(value)}`).join(', ')}}`,
  ),
  printer(
    'Ruby symbols',
    'ruby-hash',
    fields => `{${fields.map(([name, value]) => `:${name}=>${ruby(value)}`).join(', ')}}`,
  ),
  printer(
    'Ruby new symbols',
    'ruby-hash',
    fields => `{${fields.map(([name, value]) => `${name}: ${ruby(value)}`).join(', ')}}`,
  ),
  printer(
    'Rails parameters',
    'ruby-hash',
    fields => `  Parameters: {${fields.map(([name, value]) => `${ruby(name)}=>${ruby(value)}`).join(', ')}}`,
  ),
  printer('raw HTTP', 'raw-http', fields => request(urlencoded(fields), 'application/x-www-form-urlencoded')),
  printer('raw HTTP, JSON', 'raw-http', fields => request(json(fields, 2), 'application/json')),
  printer('raw HTTP, multipart', 'raw-http', fields =>
    request(multipart(fields), 'multipart/form-data; boundary=X7b'),
  ),
  printer(
    'raw HTTP, query',
    'raw-http',
    fields => `GET /notify?${urlencoded(fields)} HTTP/1.1\r\nHost: shop.example\r\n\r\n`,
  ),
  printer(
    'log line, body as a string',
    'log-line',
    fields =>
      `[2026-03-02 10:11:12] production.INFO: callback received ${JSON.stringify({ body: urlencoded(fields) })}`,
  ),
  printer(
    'log line, JSON',
    'log-line',
    fields => `2026-03-02T10:11:12Z INFO [app] callback ${json(fields)} took 3ms`,
  ),
  printer(
    'log line, JSON as a string',
    'log-line',
    fields => `level=info msg=callback body=${JSON.stringify(json(fields))} ms=3`,
  ),
  printer(
    'log line, bare body',
    'log-line',
    fields => `2026-03-02 10:11:12 INFO body: ${urlencoded(fields)}`,
  ),
  printer(
    'access log',
    'log-line',
    fields =>
      `203.0.113.9 - - [02/Mar/2026:10:11:12 +0000] "GET /notify?${urlencoded(fields)} HTTP/1.1" 200 2 "-" "GuzzleHttp/7"`,
  ),
  printer('HAR', 'har', fields => har(fields, true)),
  printer('HAR with parameters alone', 'har', fields => har(fields, false)),
  printer('CSV', 'csv', fields => csv(fields, ',')),
  printer('CSV with semicolons and a mark', 'csv', fields => `\uFEFF${csv(fields, ';')}`),
  printer('tabs', 'csv', fields => csv(fields, '\t')),
  printer(
    'CSV of bodies',
    'csv',
    fields => `time,path,body\n2026-03-02,/notify,${cell(urlencoded(fields), ',')}\n`,
  ),
  printer(
    'CSV of JSON bodies',
    'csv',
    fields => `time,path,body\n2026-03-02,/notify,${cell(json(fields), ',')}\n`,
  ),
  printer('multipart', 'multipart', multipart),
];
