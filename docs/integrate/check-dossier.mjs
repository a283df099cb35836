import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const sha256 = data => createHash('sha256').update(data).digest('hex');
if (!process.argv[2]) process.exit(console.error('Usage: node check-dossier.mjs DOSSIER.json') ?? 2);
const { events, segments } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const wrong = [];
const proven = new Map();

// 1. Each segment hashes from its first event to the link that a signed head names.
for (const { writer, first, last, from, contents, head } of segments) {
  const { format, at, chains, export: file, publicKey, signature } = head;
  const ends = chains.map(({ writer: name, seq, hash }) => [name, seq, hash]);
  const signed = JSON.stringify([format, at, ends, file && [file.file, file.sha256]]);
  const key = Buffer.from(publicKey, 'base64');
  const spki = createPublicKey({ key, format: 'der', type: 'spki' });
  if (!verify(null, Buffer.from(signed), spki, Buffer.from(signature, 'base64')))
    wrong.push('a head’s signature');
  const link = contents.reduce((before, content) => sha256(before + content), from);
  if (!ends.some(([name, seq, hash]) => name === writer && seq === last && hash === link))
    wrong.push(`the chain from event ${first} of ${writer} to its head`);
  const seal = `key ${sha256(key).slice(0, 16)}, ${new Date(at).toISOString()}`;
  contents.forEach((content, index) => proven.set(`${writer} ${first + index}`, { content, seal }));
}

// 2. Every event has the content that its place in the chain asks for.
for (const e of events) {
  const name = `event ${e.writerSeq} of ${e.writer} (${e.kind})`;
  const { salt, values } = e.personal ?? {};
  if (e.body !== null && sha256(e.body) !== e.bodySha256) wrong.push(`${name}: its body`);
  if (salt && sha256(salt + values) !== e.personalDigest) wrong.push(`${name}: its personal values`);
  const frame = [e.writer, e.writerSeq, e.id, e.profileId, e.orderNumber, e.paymentId, e.happenedAt];
  const rest = [e.recordedAt, e.agent, e.kind, e.dedupeKey, e.bodySha256, e.personalDigest];
  const place = proven.get(`${e.writer} ${e.writerSeq}`);
  if (place?.content !== sha256(JSON.stringify([...frame, ...rest]))) wrong.push(`${name}: not in the chain`);
  else console.log(`${new Date(e.recordedAt).toISOString()} ${name}: proven (${place.seal})`);
}
if (events.length === 0) wrong.push('there are no events');
console.log(wrong.length === 0 ? 'The dossier is whole.' : `WRONG: ${wrong.join('; ')}.`);
process.exitCode = wrong.length === 0 ? 0 : 1;
