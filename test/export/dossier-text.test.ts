import { expect, test } from 'vitest';
import { dossierText } from '../../main/export/dossier-text.ts';

const at = Date.UTC(2026, 10, 25, 21, 30, 5);
const when = (zone: string): string =>
  dossierText({ language: 'en', locale: 'en-GB' }, zone)
    .when(at)
    .replaceAll(/<[^>]*>/g, '');

test('a time of the merchant has UTC beside it, unless it is UTC', () => {
  expect(when('Europe/Berlin')).toBe('25 November 2026 at 22:30:05 (21:30:05 UTC)');
  expect(when('Asia/Tokyo')).toBe('26 November 2026 at 06:30:05 (2026-11-25 21:30:05 UTC)');
  expect(when('UTC')).toBe('25 November 2026 at 21:30:05 UTC');
  expect(when('Etc/UTC')).toBe('25 November 2026 at 21:30:05 UTC');
});
