import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';

/** A second reading of the operations, in another language, against the sandbox over HTTP. */

const script = join(import.meta.dirname, 'python_client.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

type Report = {
  seen: Record<string, unknown>;
  vectors: Record<string, string>;
};

const run = async (digest: 'md5' | 'sha256') => {
  const credentials = { merchant_key: 'py-key', merchant_password: 'pässwörd' };
  const sandbox = await startSandbox({
    port: 0,
    merchantKey: credentials.merchant_key,
    merchantPassword: credentials.merchant_password,
    callbackUrl: null,
    digest,
    operationDelayMs: 0,
    clock: () => Date.parse('2026-03-02T12:00:00Z'),
  });
  const client = spawn('python3', ['-I', '-B', script], { stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(async () => {
    client.kill();
    await sandbox.close();
  });
  const errors = text(client.stderr);
  const lines = createInterface(client.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<unknown> => {
    const next = await lines.next();
    if (next.done) throw new Error(await errors);
    return JSON.parse(next.value);
  };
  const { port } = (await line()) as { port: number };
  sandbox.setCallbackUrl(`http://127.0.0.1:${port}/`);
  client.stdin.end(`${JSON.stringify({ base_url: sandbox.baseUrl, ...credentials, digest })}\n`);
  const report = (await line()) as Report;
  if (client.exitCode === null) await once(client, 'exit');
  return { report, operations: sandbox.operations() };
};

/** Signatures of one payment, order and password, which the hash tests have too. */
const vectors = {
  md5: {
    refund: '202f45ba7913b4536f0591a9a1eeca8ffbd0c9da',
    void: 'e505b0a63333c82df960b878530a4980c82cfc69',
    recurring: '040cac30ec2ad73f0741155640884c2673ab83b5',
  },
  sha256: {
    refund: 'b19a45c14cacf59c79f257a9dc917e8031287ccd',
    void: 'd582bf2424234e6208749250be858e6cc22bb49a',
    recurring: 'a2d1ac2c26b9238308108fe0973ca2f68851487b',
  },
};

test.skipIf(!hasPython).each(['md5', 'sha256'] as const)(
  'a client in Python refunds, voids and charges again, with signatures of %s',
  async digest => {
    const { report, operations } = await run(digest);
    expect(report.vectors).toEqual(vectors[digest]);
    expect(report.seen).toEqual({
      part: 'accepted',
      part_callback: 'success',
      after_part: 'settled',
      too_much: 208_006,
      rest: 'accepted',
      refund_amount: '10.00',
      after_rest: 'refund',
      void: 'void',
      void_callback: 'success',
      void_again: 400,
      charge: 'settled',
      charge_order: {
        number: 'py-second',
        amount: '7.50',
        currency: 'EUR',
        description: 'Lamp - second month',
      },
      is_new_payment: true,
      same_series: true,
      forged_token: 400,
      callbacks_hold: true,
    });
    expect(operations.map(({ operation, amount }) => [operation, amount])).toEqual([
      ['refund', '4.00'],
      ['refund', '6.00'],
      ['void', null],
      ['recurring', '7.50'],
    ]);
  },
);
