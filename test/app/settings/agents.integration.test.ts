import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Agent } from '../../../shared/agents/agent.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The agents: real scrypt, real settings file. */

const app = useApp();
afterEach(async () => {
  vi.useRealTimers();
  await app.backToFirst();
});

const hour = 3_600_000;
let added = 0;
/** Adds a person whom no other test knows. */
const add = async (pin?: string): Promise<Agent> => {
  added += 1;
  const name = `Grace ${added}`;
  return app.value('agents.save', { id: null, name, ...(pin === undefined ? {} : { pin }) });
};
const raise = (orderNumber: string) => app.request('payments.create', newPayment({ orderNumber }));

test('the signed-in agent has a unique name, can be renamed, and cannot be removed; others can', async () => {
  const { agentId, agents } = await app.state();
  const grace = await add();
  for (const name of [grace.name.toLowerCase(), 'Anna', 'Console', '4111 1111 1111 1111'])
    expect(await app.request('agents.save', { id: null, name })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid', fields: [{ path: 'name' }] },
    });
  await app.request('agents.save', { id: agentId, name: 'Anna B.' });
  expect(await app.state()).toMatchObject({ agentId, settings: { agent: 'Anna B.' } });
  await app.request('agents.save', { id: agentId, name: 'anna' });
  expect(await app.request('agents.remove', { id: agentId, pin: null })).toMatchObject({ ok: false });
  await app.value('agents.remove', { id: grace.id, pin: null });
  expect((await app.state()).agents).toEqual(agents);
});

test('a PIN is required, and never leaves the main process in any form', async () => {
  const grace = await add('246824682468');
  expect(grace).toEqual({ id: grace.id, name: `Grace ${added}`, hasPin: true, role: 'agent' });
  expect(await app.request('agents.signIn', { id: grace.id, pin: null })).toMatchObject({ ok: false });
  expect(await app.refusal('agents.signIn', { id: grace.id, pin: '1111' })).toBe('agent.wrong-pin');
  await app.value('agents.signIn', { id: grace.id, pin: '246824682468' });
  expect((await app.state()).settings.agent).toBe(grace.name);
  const stored = JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as {
    agents: { name: string; pin: { salt: string; hash: string } | null }[];
  };
  const pin = stored.agents.find(({ name }) => name === grace.name)?.pin;
  expect(pin?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(stored)).not.toContain('246824682468');
  const seen = JSON.stringify(await app.state());
  for (const secret of [pin?.hash ?? '', pin?.salt ?? '', '246824682468']) expect(seen).not.toContain(secret);
});

test('a PIN protects the payments after its owner has signed out, and after a restart', async () => {
  const grace = await add('2468');
  await app.request('agents.signIn', { id: grace.id, pin: '2468' });
  await raise('L-1');
  await app.request('agents.signOut', {});
  expect(await app.value('app.lock', {})).toMatchObject({ locked: true });
  for (const refused of [
    await raise('L-2'),
    await app.request('payments.list', { filter: {} }),
    await app.request('payments.read', { profileId: 'sandbox', orderNumber: 'L-1' }),
    await app.request('callbacks.recent', {}),
    await app.request('settings.change', { retentionDays: 1 }),
    await app.request('agents.save', { id: grace.id, name: 'Mallory', pin: null }),
  ])
    expect(refused).toMatchObject({ ok: false, error: { code: 'app.locked' } });

  await app.restart();
  expect(await app.refusal('payments.list', { filter: {} })).toBe('app.locked');
  await app.request('agents.signIn', { id: grace.id, pin: '2468' });
  expect(await app.value('payments.list', { filter: { words: 'L-1' } })).toMatchObject({
    rows: [{ orderNumber: 'L-1' }],
  });
});

test('a PIN delays further attempts after five wrong ones, parallel or not, and neither a clock nor a restart shortens it', async () => {
  const grace = await add('2468');
  const signIn = (pin: string) => app.request('agents.signIn', { id: grace.id, pin });
  const tries = await Promise.all(['0001', '0002', '0003', '0004', '0005', '2468'].map(signIn));
  expect(tries.map(tried => (tried.ok ? 'in' : tried.error.code))).toEqual([
    ...Array.from({ length: 5 }, () => 'agent.wrong-pin'),
    'agent.wait',
  ]);
  const secondsLeft = async (): Promise<number> => {
    const tried = await signIn('2468');
    expect(tried).toMatchObject({ ok: false, error: { code: 'agent.wait' } });
    return tried.ok ? 0 : Number(tried.error.details?.['seconds']);
  };
  for (const by of [2 * hour, -2 * hour]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
    const seconds = await secondsLeft();
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(30);
    vi.useRealTimers();
  }
  // A longer one in the settings file is cut to an hour.
  await app.restart(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * hour });
    const file = join(app.folder, 'settings.json');
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { agents: { id: string; waitMs: number }[] };
    for (const agent of stored.agents) if (agent.id === grace.id) agent.waitMs = 1_000 * hour;
    writeFileSync(file, JSON.stringify(stored));
  });
  const seconds = await secondsLeft();
  expect(seconds).toBeGreaterThan(3_000);
  expect(seconds).toBeLessThanOrEqual(3_600);
});

test('a PIN is changed or removed only with the old one', async () => {
  const grace = await add('2468');
  const change = { id: grace.id, name: grace.name };
  expect(await app.request('agents.save', { ...change, pin: '1357' })).toMatchObject({ ok: false });
  await app.value('agents.save', { ...change, pin: '1357', oldPin: '2468' });
  expect(await app.request('agents.signIn', { id: grace.id, pin: '2468' })).toMatchObject({ ok: false });
  expect(await app.value('agents.save', { ...change, pin: null, oldPin: '1357' })).toMatchObject({
    hasPin: false,
  });
});
