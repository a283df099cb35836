import { expect, test } from 'vitest';
import { defaultRecheckDays, readRecheckDays } from '../../shared/settings/recheck-days.ts';
import { recheckDaysSchema } from '../../shared/settings/settings.ts';

test.each([
  ['1, 7, 30, 90', [1, 7, 30, 90]],
  ['30 7;7', [7, 30]],
  ['730', [730]],
])('the days %s are read in order, each once', (text, days) => {
  expect(readRecheckDays(text)).toEqual(days);
  expect(recheckDaysSchema.safeParse(days).success).toBe(true);
});

test.each(['', 'soon', '0', '1.5', '-3', '731', '1 2 3 4 5 6 7 8 9'])('the days “%s” are refused', text => {
  expect(readRecheckDays(text)).toBeNull();
});

test('the default is a valid setting, and so is an empty list', () => {
  expect(recheckDaysSchema.parse([...defaultRecheckDays])).toEqual([1, 7, 30, 90]);
  expect(recheckDaysSchema.parse([])).toEqual([]);
  expect(recheckDaysSchema.safeParse([7, 1]).success).toBe(false);
});
