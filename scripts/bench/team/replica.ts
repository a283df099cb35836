import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainedEvent } from '../../../main/payment-log/answers.ts';
import { encodeBody } from '../../../main/payment-log/evidence/body-codec.ts';
import {
  chainStart,
  contentHash,
  linkHash,
  personalDigest,
} from '../../../main/payment-log/evidence/chain.ts';
import { hidePersonal } from '../../../main/payment-log/evidence/pii.ts';
import { takeUpChain } from '../../../main/payment-log/postgres/chains.ts';
import { connect } from '../../../main/payment-log/postgres/connection.ts';
import { createMonths } from '../../../main/payment-log/postgres/months.ts';
import { clientConfig } from '../../../main/payment-log/postgres/connection-settings.ts';
import { createCopier } from '../../../main/payment-log/replica/copy-chains.ts';
import { openReplicaFile } from '../../../main/payment-log/replica/replica-file.ts';
import { replicaWriter } from '../../../main/payment-log/replica/replica-writer.ts';
import { sharedSource } from '../../../main/payment-log/replica/shared-source.ts';
import { salts } from '../../../main/payment-log/sqlite/store/salts.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { must, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { paymentEvents } from '../payments.ts';
import { atMost, type Row } from '../measure.ts';

const batch = 512;

/** Events of one payment, 2.5 on average. */
const eventsOf = (index: number, payments: number, lastAt: number): EventDraft[] => {
  const [requested, accepted, , reported] = paymentEvents(index, payments, lastAt);
  return [requested, accepted, index % 2 ? reported : undefined].filter(one => one !== undefined);
};

/** Three consoles and an intake write the evidence of these payments. */
const fill = async (team: Team, payments: number): Promise<number> => {
  const newSalt = salts();
  const months = createMonths();
  const lastAt = Date.now();
  let events = 0;
  const chains = await Promise.all(
    ['Counter 1', 'Counter 2', 'Counter 3', 'Intake'].map(async (label, at) => {
      const settings = await team.add(at === 3 ? 'intake' : 'console', label);
      const connection = must(await connect(must(clientConfig(settings, 'bench'))));
      await connection.query(`SET search_path = ${settings.schema}; SET synchronous_commit = off`);
      const writer = `00000000-0000-4000-8000-00000000000${at}`;
      const chain = must(await takeUpChain(connection, writer, months));
      return {
        connection,
        writer,
        chain,
        seq: 0,
        hash: chainStart,
        recordedAt: 0,
        waiting: [] as EventDraft[],
      };
    }),
  );
  const chained = (to: (typeof chains)[number], draft: EventDraft): ChainedEvent => {
    to.seq += 1;
    to.recordedAt = Math.max(to.recordedAt, draft.happenedAt);
    const { body, text, values: personalValues } = hidePersonal(draft);
    const { shape, values } = encodeBody(body, draft);
    const salt = personalValues.length > 0 ? newSalt().toString('hex') : null;
    const personal = salt === null ? null : { salt, values: JSON.stringify(personalValues) };
    const digest = personal && personalDigest(personal.salt, personal.values);
    const header = {
      writer: to.writer,
      writerSeq: to.seq,
      id: draft.id,
      profileId: draft.profileId,
      orderNumber: draft.orderNumber,
      paymentId: draft.paymentId,
      happenedAt: draft.happenedAt,
      recordedAt: to.recordedAt,
      agent: draft.agent,
      kind: draft.kind,
      dedupeKey: draft.dedupeKey,
    };
    to.hash = linkHash(to.hash, contentHash(header, text, digest));
    return { ...header, shape, values, personal, digest, hash: to.hash };
  };
  const send = async (to: (typeof chains)[number], until: number): Promise<void> => {
    to.waiting.sort((one, other) => one.happenedAt - other.happenedAt);
    let ready = to.waiting.findIndex(({ happenedAt }) => happenedAt >= until);
    if (ready < 0) ready = to.waiting.length;
    const drafts = to.waiting.splice(0, ready);
    for (let at = 0; at < drafts.length; at += batch) {
      const before = { seq: to.seq, hash: to.hash };
      const some = drafts.slice(at, at + batch).map(draft => chained(to, draft));
      if (must(await to.chain.append(before, some)) !== 'stored') throw new Error('not stored');
      events += some.length;
    }
  };
  for (let index = 0; index < payments; index += 1) {
    const [intake] = chains.slice(-1);
    for (const draft of eventsOf(index, payments, lastAt)) {
      const to = draft.agent === 'console' ? intake : chains[index % 3];
      to?.waiting.push(draft);
      if (to && to.waiting.length > 4 * batch) await send(to, (to.waiting.at(-1)?.happenedAt ?? 0) - 600_000);
    }
  }
  for (const chain of chains) {
    await send(chain, Number.POSITIVE_INFINITY);
    await chain.connection.close();
  }
  await team.sql('ANALYZE');
  return events;
};

/** Limits of a first copy: minutes for a million payments, and bytes for each. */
const minutesOfMillion = 10;
const bytesOfPayment = 3_000;

/** A new console copies the chains of three others and an intake: how long until its list is whole, and how large it is. */
export const firstCopy = async (team: Team, payments: number): Promise<Row[]> => {
  const events = await fill(team, payments);
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const file = join(folder, 'replica.db');
  const database = must(openReplicaFile(file, null, { now: Date.now(), maxAwayMs: 1, months: null }));
  const settings = await team.add('console', 'Bench of the replica');
  const connection = must(await connect(must(clientConfig(settings, 'bench'))));
  try {
    await connection.query(`SET search_path = ${settings.schema}; SET jit = off`);
    const own = '00000000-0000-4000-8000-000000000009';
    const writer = replicaWriter(database, own, Date.now);
    const startedAt = performance.now();
    let firstPage = 0;
    const copier = createCopier(writer, await sharedSource(connection, own), () => {
      firstPage ||= performance.now() - startedAt;
    });
    await copier.forward();
    while (await copier.backward());
    const seconds = (performance.now() - startedAt) / 1_000;
    const listed = database.prepare<[], number>('SELECT count(*) FROM listed').pluck().get() ?? 0;
    if (listed !== payments) throw new Error(`${listed} payments are listed.`);
    database.pragma('wal_checkpoint(TRUNCATE)');
    const of = `${payments.toLocaleString('en')} payments with ${events.toLocaleString('en')} events`;
    return [
      atMost(
        `first copy of ${of} / ${minutesOfMillion} minutes for each million (s)`,
        seconds,
        (minutesOfMillion * 60 * payments) / 1_000_000,
        1,
      ),
      atMost('the same, until the newest payments are listed / 1 s (ms)', firstPage, 1_000, 1),
      atMost(
        'the same, size of the replica per payment / 3,000 (bytes)',
        statSync(file).size / payments,
        bytesOfPayment,
        1,
      ),
    ];
  } finally {
    database.close();
    await connection.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
