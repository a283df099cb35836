import { expect, test } from 'vitest';
import { duePeriods } from '../../../main/app/scheduled-export/scheduled-export-feature.ts';

test.each([
  ['day', 31, '2027-01-03', '2027-02-02'],
  ['month', 12, '2026-02-01', '2027-01-01'],
] as const)('a scheduled export of each %s catches up on at most %i of them', (every, count, first, last) => {
  const now = Date.UTC(2027, 1, 3, 12);
  const due = duePeriods(now, every, 'Europe/Berlin', '2025-01-01').map(period => period.first);
  expect([due.length, due[0], due.at(-1)]).toEqual([count, first, last]);
  expect(duePeriods(now, every, 'Europe/Berlin', null).map(period => period.first)).toEqual([last]);
});
