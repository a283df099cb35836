import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { value } from '../../tools/app-harness/running-app.ts';
import { finished, startBundle } from './child.ts';
import { testFolder } from './test-folder.ts';

/** The Task Manager ends the console, or Windows shuts down without waiting for it. */

const rounds = 3;
/** From the first acknowledged events until the kill. */
const untilKillMs = [50, 150, 350];

describe('a writer that Windows ends', () => {
  const folder = testFolder();
  after(folder.remove);

  test(`a writer that Windows ends has lost nothing that it acknowledged, ${rounds} times`, async () => {
    const file = join(folder.app, 'payments.db');
    let acknowledged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const writer = startBundle('writing-child', file, String(round));
      let started = '';
      const onOutput = (chunk: Buffer): void => {
        started += chunk.toString();
        if (started.split('\n').length <= 3) return;
        writer.stdout?.off('data', onOutput);
        void wait(untilKillMs[round]).then(() => writer.kill('SIGKILL'));
      };
      writer.stdout?.on('data', onOutput);
      const { output, errors } = await finished(writer);
      assert.equal(errors, '');
      // The end may cut the last line.
      const lines = output.split('\n').slice(1, -1);
      acknowledged += lines.length;
      const log = value(await openPaymentLog({ file, writer: 'parent' }));
      for (const line of lines) {
        const [id = '', order = ''] = line.split(' ');
        assert.ok((await log.events('sandbox', order)).some(event => event.id === id));
      }
      assert.deepEqual((await log.verify()).problems, []);
      await log.close();
    }
    assert.ok(acknowledged > rounds, `${acknowledged} events were acknowledged`);
  });
});
