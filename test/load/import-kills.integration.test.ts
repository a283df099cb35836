import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readBook, readLines } from '../../main/app/statements/statement-book.ts';
import { unpackLines } from '../../main/statements/stored-lines.ts';
import { logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { root } from '../../tools/build/steps.ts';

/** How often an import is killed; set 50 for a long run. */
const rounds = Number(process.env['COUNTERFOIL_KILL_ROUNDS'] ?? 4);
/** Several events of lines. */
const lines = 5_000;
const profileId = 'shop';
const child = join(import.meta.dirname, 'importing-child.ts');
const bundled = pathToFileURL(join(root, 'tools', 'app-harness', 'use-bundled-workers.ts')).href;

/** Starts an import and kills it, some milliseconds after it began. Returns whether it had said that it was done. */
const importAndKill = async (log: string, statement: string, milliseconds: number): Promise<boolean> => {
  const args = ['--import', bundled, child, log, statement, profileId];
  const importing = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  importing.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  const printed: string[] = [];
  for await (const line of createInterface({ input: importing.stdout })) {
    printed.push(line);
    // Any moment of the kill is valid: the test is about this.
    if (line === 'importing') void wait(milliseconds).then(() => importing.kill('SIGKILL'));
  }
  expect(complaint).toBe('');
  expect(printed[0]).toBe('importing');
  return printed.includes('imported');
};

test(
  `an import that is killed at ${rounds} random moments left the whole statement or none`,
  { timeout: rounds * 12_000 },
  async () => {
    const folder = logFolder();
    let known = 0;
    for (let round = 0; round < rounds; round += 1) {
      const statement = join(folder.file, '..', `${round}.csv`);
      const rows = Array.from({ length: lines }, (_, row) => `2026-11-15,${round}-${row},12.50,EUR`);
      writeFileSync(statement, ['Date,Order number,Amount,Currency', ...rows].join('\n'));
      // From at once until after most imports are done.
      const acknowledged = await importAndKill(folder.file, statement, Math.random() * 250);
      const log = await folder.open('parent');
      expect((await log.verify()).problems).toEqual([]);
      const { statements } = await readBook(log, profileId);
      const isWhole = statements.length > known;
      expect(statements.length - known).toBeLessThanOrEqual(1);
      if (acknowledged) expect(isWhole).toBe(true);
      known = statements.length;
      for (const one of statements) {
        const parts = await readLines(log, one.statement);
        expect(parts.length).toBeGreaterThan(1);
        expect([one.lines, unpackLines(parts).length]).toEqual([lines, lines]);
      }
      await log.close();
    }
    await folder.remove();
  },
);
