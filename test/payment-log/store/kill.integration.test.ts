import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from '../../../tools/build/steps.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

/** How often the writer is killed; set 200 for a long run. */
const rounds = Number(process.env['COUNTERFOIL_KILL_ROUNDS'] ?? 3);
const child = join(import.meta.dirname, 'writing-child.ts');
const bundled = pathToFileURL(join(root, 'tools', 'app-harness', 'use-bundled-workers.ts')).href;

/** Starts a writer, kills it without warning after a while, and returns what it acknowledged. */
const writeAndKill = async (folder: LogFolder, round: number, milliseconds: number): Promise<string[]> => {
  const writing = spawn(process.execPath, ['--import', bundled, child, folder.file, String(round)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  writing.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: writing.stdout }))
    if (line !== 'writing') {
      acknowledged.push(line);
      // Any moment of the kill is valid: the test is about this. On a busy machine the first acknowledgement takes longer.
      if (acknowledged.length === 1) void wait(milliseconds).then(() => writing.kill('SIGKILL'));
    }
  expect(complaint).toBe('');
  return acknowledged;
};

test(
  `a writer killed at ${rounds} random moments has lost nothing that it acknowledged`,
  async () => {
    const folder = logFolder();
    const acknowledged = new Set<string>();
    let written = 0;
    for (let round = 0; round < rounds; round += 1) {
      const lines = await writeAndKill(folder, round, Math.random() * 60);
      written += lines.length;
      for (const line of lines) acknowledged.add(line);
      // The kill may cut the last line; only complete lines count.
      const log = await folder.open('parent');
      const orders = new Set(lines.map(line => line.split(' ')[1] ?? ''));
      for (const order of orders) {
        const ids = (await log.events('sandbox', order)).map(({ id }) => id);
        const held = new Set(ids.map(id => `${id} ${order}`));
        expect(held.size).toBe(ids.length);
        for (const line of lines) if (line.endsWith(` ${order}`)) expect(held.has(line)).toBe(true);
      }
      const report = await log.verify();
      expect(report.problems).toEqual([]);
      expect(report.events).toBeGreaterThanOrEqual(acknowledged.size);
      await log.close();
    }
    expect(written).toBeGreaterThanOrEqual(rounds);
    await folder.remove();
  },
  rounds * 6_000,
);
