import { test } from 'vitest';
import { summary } from '/work/wt/tests/tools/evidence/told.ts';
import { readFileSync } from 'node:fs';
test('x', () => {
  for (const line of readFileSync('/tmp/lines.txt','utf8').split('\n')) {
    if (!line.trim() || line.startsWith('#')) { console.log(line); continue; }
    let r; try { r = summary(line) } catch (e) { r = String(e) }
    console.log(line.padEnd(60), '→', r);
  }
});
