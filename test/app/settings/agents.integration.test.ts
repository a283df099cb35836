import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Agent } from '../../../shared/agents/agent.ts';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** The agents: real scrypt, real settings file. */

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.remove());

const add = async (name: string, pin?: string): Promise<Agent> => {
  const saved = await app.request('agents.save', { id: null, name, ...(pin === undefined ? {} : { pin }) });
  if (!saved.ok) throw new Error(saved.error.code);
  return saved.value;
};
const state = async () => {
  const read = await app.request('app.read', {});
  if (!read.ok) throw new Error(read.error.code);
  return read.value;
};
const raise = (orderNumber: string) => app.request('payments.create', newPayment({ orderNumber }));

describe('the signed-in agent', () => {
  test('is recorded with every action of that agent, and of no other', async () => {
    const grace = await add('Grace');
    await raise('A-1');
    await app.request('agents.signIn', { id: grace.id, pin: null });
    await app.request('payments.note', { profileId: 'sandbox', orderNumber: 'A-1', text: 'rang back' });
    const read = await app.request('payments.read', { profileId: 'sandbox', orderNumber: 'A-1' });
    const by = read.ok ? read.value.events.map(({ kind, agent }) => `${kind} ${agent}`) : [];
    expect(by).toContain('session.requested anna');
    expect(by).toContain('note.added Grace');
  });

  test('has a unique name', async () => {
    await add('Grace');
    for (const name of ['grace', 'Anna', 'Console', '4111 1111 1111 1111']) {
      expect(await app.request('agents.save', { id: null, name })).toMatchObject({
        ok: false,
        error: { code: 'input.invalid', fields: [{ path: 'name' }] },
      });
    }
  });

  test('can be renamed, and stays signed in under the new name', async () => {
    const { agentId } = await state();
    await app.request('agents.save', { id: agentId, name: 'Anna B.' });
    expect(await state()).toMatchObject({ agentId, settings: { agent: 'Anna B.' } });
  });

  test('cannot be removed; others can, and their payments keep their name', async () => {
    const { agentId } = await state();
    const grace = await add('Grace');
    expect(await app.request('agents.remove', { id: agentId, pin: null })).toMatchObject({ ok: false });
    expect(await app.request('agents.remove', { id: grace.id, pin: null })).toMatchObject({ ok: true });
    expect((await state()).agents.map(({ name }) => name)).toEqual(['anna']);
  });

  test('the person in an older settings file becomes the first agent of the list', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'counterfoil-desk-'));
    const { agents: _agents, ...older } = JSON.parse(
      readFileSync(join(app.folder, 'settings.json'), 'utf8'),
    ) as Record<string, unknown>;
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(older));
    const other = await startTestApp(folder);
    const read = await other.request('app.read', {});
    expect(read).toMatchObject({ value: { agents: [{ name: 'anna', hasPin: false }] } });
    await other.remove();
  });
});

describe('a PIN', () => {
  test('is required, and never leaves the main process in any form', async () => {
    const grace = await add('Grace', '246824682468');
    expect(grace).toEqual({ id: grace.id, name: 'Grace', hasPin: true, role: 'agent' });
    expect(await app.request('agents.signIn', { id: grace.id, pin: null })).toMatchObject({ ok: false });
    expect(await app.request('agents.signIn', { id: grace.id, pin: '1111' })).toMatchObject({
      error: { code: 'agent.wrong-pin' },
    });
    expect(await app.request('agents.signIn', { id: grace.id, pin: '246824682468' })).toMatchObject({
      ok: true,
    });
    expect((await state()).settings.agent).toBe('Grace');
    const stored = JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as {
      agents: { name: string; pin: { salt: string; hash: string } | null }[];
    };
    const pin = stored.agents.find(({ name }) => name === 'Grace')?.pin;
    expect(pin?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(stored)).not.toContain('246824682468');
    const seen = JSON.stringify(await state());
    for (const secret of [pin?.hash ?? '', pin?.salt ?? '', '246824682468'])
      expect(seen).not.toContain(secret);
  });

  test('protects the payments after its owner has signed out, and after a restart', async () => {
    const grace = await add('Grace', '2468');
    await app.request('agents.signIn', { id: grace.id, pin: '2468' });
    await raise('L-1');
    await app.request('agents.signOut', {});
    expect(await app.request('app.lock', {})).toMatchObject({ value: { locked: true } });
    for (const refused of [
      await raise('L-2'),
      await app.request('payments.list', { filter: {} }),
      await app.request('payments.read', { profileId: 'sandbox', orderNumber: 'L-1' }),
      await app.request('callbacks.recent', {}),
      await app.request('settings.change', { retentionDays: 1 }),
      await app.request('agents.save', { id: grace.id, name: 'Mallory', pin: null }),
    ])
      expect(refused).toMatchObject({ ok: false, error: { code: 'app.locked' } });

    await app.close();
    const again = await startTestApp(app.folder);
    expect(await again.request('payments.list', { filter: {} })).toMatchObject({
      error: { code: 'app.locked' },
    });
    await again.request('agents.signIn', { id: grace.id, pin: '2468' });
    expect(await again.request('payments.list', { filter: {} })).toMatchObject({
      value: { rows: [{ orderNumber: 'L-1' }] },
    });
    await again.close();
  });

  test('delays further attempts after five wrong ones, parallel or not', async () => {
    const grace = await add('Grace', '2468');
    const tries = await Promise.all(
      ['0001', '0002', '0003', '0004', '0005', '2468'].map(pin =>
        app.request('agents.signIn', { id: grace.id, pin }),
      ),
    );
    expect(tries.map(tried => (tried.ok ? 'in' : tried.error.code))).toEqual([
      ...Array.from({ length: 5 }, () => 'agent.wrong-pin'),
      'agent.wait',
    ]);
  });

  describe('has a delay after wrong attempts', () => {
    const hour = 3_600_000;
    const wrongFive = async (id: string) => {
      for (const pin of ['0001', '0002', '0003', '0004', '0005'])
        await app.request('agents.signIn', { id, pin });
    };
    afterEach(() => vi.useRealTimers());

    test.each([
      ['forward', 2 * hour],
      ['back', -2 * hour],
      ['back by years', -20_000 * hour],
    ])('that a clock set %s neither ends nor prolongs', async (_way, by) => {
      const grace = await add('Grace', '2468');
      await wrongFive(grace.id);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
      const tried = await app.request('agents.signIn', { id: grace.id, pin: '2468' });
      expect(tried).toMatchObject({ ok: false, error: { code: 'agent.wait' } });
      const seconds = tried.ok ? 0 : Number(tried.error.details?.['seconds']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(30);
    });

    test('that a restart does not shorten, for any time of the clock', async () => {
      const grace = await add('Grace', '2468');
      await wrongFive(grace.id);
      await app.close();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * hour });
      const again = await startTestApp(app.folder);
      expect(await again.request('agents.signIn', { id: grace.id, pin: '2468' })).toMatchObject({
        error: { code: 'agent.wait' },
      });
      await again.close();
    });

    test('that is cut to one hour if the settings file contains a longer one', async () => {
      const grace = await add('Grace', '2468');
      await app.close();
      const file = join(app.folder, 'settings.json');
      const stored = JSON.parse(readFileSync(file, 'utf8')) as { agents: { id: string; waitMs: number }[] };
      for (const agent of stored.agents) if (agent.id === grace.id) agent.waitMs = 1_000 * hour;
      writeFileSync(file, JSON.stringify(stored));
      const again = await startTestApp(app.folder);
      const tried = await again.request('agents.signIn', { id: grace.id, pin: '2468' });
      const seconds = tried.ok ? 0 : Number(tried.error.details?.['seconds']);
      expect(seconds).toBeGreaterThan(3_000);
      expect(seconds).toBeLessThanOrEqual(3_600);
      await again.close();
    });
  });

  test('is changed or removed only with the old one', async () => {
    const grace = await add('Grace', '2468');
    const change = { id: grace.id, name: 'Grace' };
    expect(await app.request('agents.save', { ...change, pin: '1357' })).toMatchObject({ ok: false });
    expect(await app.request('agents.save', { ...change, pin: '1357', oldPin: '2468' })).toMatchObject({
      ok: true,
    });
    expect(await app.request('agents.signIn', { id: grace.id, pin: '2468' })).toMatchObject({ ok: false });
    expect(await app.request('agents.save', { ...change, pin: null, oldPin: '1357' })).toMatchObject({
      value: { hasPin: false },
    });
  });
});
