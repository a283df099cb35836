import { expect, test } from 'vitest';
import { dryRun } from '../../../main/gateway/dry-run.ts';
import type { ProfileDraft } from '../../../shared/settings/profile.ts';
import { shopProfile } from '../../../tools/app-harness/running-app.ts';

/** The dry run: what a profile would send, byte for byte, without a password. */

const shown = (changes: Partial<ProfileDraft> = {}) =>
  new Map(dryRun({ ...shopProfile, ...changes, id: 'shop' }).map(request => [request.name, request]));

test('the string that each hash covers is shown exactly, with the password masked', () => {
  const requests = shown();
  expect(requests.get('session')?.signed).toBe('ORDER-112.50EURZWEI NÄCHTE, ZIMMER 12••••••••');
  expect(requests.get('status-by-order')?.signed).toBe('ORDER-1••••••••');
  expect(requests.get('callback')).toMatchObject({ documented: true, section: '§5.3', method: null });
  expect(requests.get('session')).toMatchObject({ documented: false });
});

test('the upper-casing and the paths are those of the form', () => {
  const requests = shown({
    requestUppercasing: 'ascii',
    sessionPath: '/api/v1/session',
    statusForm: 'get-query',
  });
  expect(requests.get('session')?.signed).toContain('NäCHTE');
  expect(requests.get('session')?.address).toBe('https://pay.example.com/api/v1/session');
  expect(requests.get('status-by-payment')).toMatchObject({ method: 'GET', body: null });
});

test('no hash is returned in any form', () => {
  for (const statusForm of ['get-json', 'get-query', 'post-json'] as const)
    for (const request of shown({ statusForm }).values())
      expect(`${request.address} ${request.body}`).not.toMatch(/\b[0-9a-f]{40}\b/i);
});
