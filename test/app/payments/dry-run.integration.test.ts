import { expect, test } from 'vitest';
import type { ProfileDraft } from '../../../shared/settings/profile.ts';
import { shopProfile } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The dry run: what a profile would send, byte for byte, without a password. */

const app = useApp();

const shown = async (changes: Partial<ProfileDraft> = {}) => {
  const result = await app.value('profiles.dryRun', { profile: { ...shopProfile, ...changes } });
  return new Map(result.requests.map(request => [request.name, request]));
};

test('the string that each hash covers is shown exactly, with the password masked', async () => {
  const requests = await shown();
  expect(requests.get('session')?.signed).toBe('ORDER-112.50EURZWEI NÄCHTE, ZIMMER 12••••••••');
  expect(requests.get('status-by-order')?.signed).toBe('ORDER-1••••••••');
  expect(requests.get('callback')).toMatchObject({ documented: true, section: '§5.3', method: null });
  expect(requests.get('session')).toMatchObject({ documented: false });
});

test('the upper-casing and the paths are those of the form', async () => {
  const requests = await shown({
    requestUppercasing: 'ascii',
    sessionPath: '/api/v1/session',
    statusForm: 'get-query',
  });
  expect(requests.get('session')?.signed).toContain('NäCHTE');
  expect(requests.get('session')?.address).toBe('https://pay.example.com/api/v1/session');
  expect(requests.get('status-by-payment')).toMatchObject({ method: 'GET', body: null });
});

test('no hash is returned in any form', async () => {
  for (const statusForm of ['get-json', 'get-query', 'post-json'] as const)
    for (const request of (await shown({ statusForm })).values())
      expect(`${request.address} ${request.body}`).not.toMatch(/\b[0-9a-f]{40}\b/i);
});

test('a dry run without a base address reports what is missing', async () => {
  const result = await app.request('profiles.dryRun', { profile: { ...shopProfile, baseUrl: 'nowhere' } });
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', fields: [{ path: 'baseUrl' }] },
  });
});
