import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useLog } from '../../tools/app-harness/use-log.ts';
import { root } from '../../tools/build/steps.ts';
import { accepted, callback, hour, lookUp, note, order, requested } from '../../tools/evidence/evidence.ts';

/** The program beside docs/build/payment-log-format.md reads and checks a log without the product's code. */

const program = join(root, 'docs/build/read-log.mjs');

const used = useLog('test', { isClosed: true });

const read = (): { status: number | null; events: unknown[]; report: string } => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', program, used.folder.file],
    {
      encoding: 'utf8',
    },
  );
  const events = stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as unknown);
  return { status, events, report: stderr.trim() };
};

const write = async (): Promise<void> => {
  const log = await used.folder.open();
  await log.append([requested(0, { customer: { name: 'Zoë Quill', email: 'zoe@example.com' } })]);
  await log.append([
    accepted(hour / 60),
    callback(hour / 30, 'sale', 'success'),
    lookUp(hour / 20, 'settled'),
  ]);
  await log.append([note(hour, 'A “quoted” note\u0001')]);
  await log.close();
};

test('the documented program reads every event and reports every link of the chain as correct', async () => {
  await write();
  const { status, events, report } = read();
  expect(report).toBe('Every link is right.');
  expect(status).toBe(0);
  expect(events).toHaveLength(5);
  expect(events[0]).toMatchObject({
    order: order.number,
    kind: 'session.requested',
    body: { amount: order.amount, customer: { name: '', email: '' } },
  });
  expect(events[4]).toMatchObject({ body: { text: 'A “quoted” note\u0001' } });
});

test('the documented program reports an event that was changed', async () => {
  await write();
  used.folder.tamper(`UPDATE event SET agent = 'Eve' WHERE seq = 2`);
  expect(read()).toMatchObject({ status: 1, report: expect.stringContaining('event 2: link') as unknown });
});
