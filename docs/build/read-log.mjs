import { createHash } from 'node:crypto';

const [file] = process.argv.slice(2);
const sqlite = await import('node:sqlite').catch(() => null);
if (!file || sqlite === null) {
  console.error('Usage: node read-log.mjs FILE (a payment log), with Node 24 or newer');
  process.exit(2);
}

const sha256 = text => createHash('sha256').update(text).digest('hex');
const hex = bytes => bytes && Buffer.from(bytes).toString('hex');
const uuid = bytes => hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const log = new sqlite.DatabaseSync(file, { readOnly: true });
const shapes = new Map(
  log
    .prepare('SELECT id, text FROM shape')
    .all()
    .map(({ id, text }) => [id, text]),
);

const bodyOf = row => {
  const values = row.values === '' ? [] : JSON.parse(row.values);
  let text = '';
  let outer = '';
  // oxlint-disable-next-line no-control-regex -- These six characters mark the places of values.
  for (const part of shapes.get(row.shape).split(/([\u0001-\u0006])/))
    if (part === '\u0001' || part === '\u0002') text += JSON.stringify(values.shift());
    else if (part === '\u0003') text += JSON.stringify(row.order_number);
    else if (part === '\u0004') text += JSON.stringify(row.payment_id);
    else if (part === '\u0005') [outer, text] = [text, ''];
    else if (part === '\u0006') text = outer + JSON.stringify(text);
    else text += part;
  return text;
};

const rows = log.prepare(`SELECT event.*, writer.name, payment.profile_id, payment.order_number,
    personal.salt, personal."values" AS personal_values
  FROM event JOIN writer ON writer.id = event.writer JOIN payment ON payment.id = event.payment
  LEFT JOIN personal ON personal.event = event.seq ORDER BY event.writer, event.writer_seq`);
const ends = new Map();
const problems = [];
for (const row of rows.iterate()) {
  const body = bodyOf(row);
  const digest = hex(row.personal);
  if (row.salt && sha256(hex(row.salt) + row.personal_values) !== digest)
    problems.push(`event ${row.seq}: personal values`);
  const frame = [row.name, row.writer_seq, uuid(row.id), row.profile_id, row.order_number, row.payment_id];
  const rest = [row.happened_at, row.recorded_at, row.agent, row.kind, row.dedupe_key];
  const content = sha256(JSON.stringify([...frame, ...rest, sha256(body), digest]));
  const end = ends.get(row.name) ?? { seq: 0, hash: '0'.repeat(64) };
  if (row.writer_seq !== end.seq + 1 || sha256(end.hash + content) !== hex(row.hash))
    problems.push(`event ${row.seq}: link`);
  ends.set(row.name, { seq: row.writer_seq, hash: hex(row.hash) });
  console.log(JSON.stringify({ order: row.order_number, kind: row.kind, body: JSON.parse(body) }));
}
for (const { name, last_seq: seq, last_hash: hash } of log.prepare('SELECT * FROM writer').all()) {
  const end = ends.get(name) ?? { seq: 0, hash: '0'.repeat(64) };
  if (end.seq !== seq || end.hash !== hash) problems.push(`writer ${name}: end of the chain`);
}
console.error(problems.length === 0 ? 'Every link is right.' : problems.join('\n'));
process.exitCode = problems.length === 0 ? 0 : 1;
