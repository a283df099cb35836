import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RequestInput } from '../../../shared/contract/contract.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Templates for frequent payments, through the requests of the window. */

const app = useApp();

const night: RequestInput<'templates.save'> = {
  id: null,
  profileId: 'sandbox',
  name: 'A night',
  amount: '89.00',
  currency: 'EUR',
  description: 'One night, breakfast included',
  methods: ['card'],
};
const names = async (profileId = 'sandbox'): Promise<string[]> => {
  const listed = await app.request('templates.list', { profileId });
  return listed.ok ? listed.value.templates.map(({ name }) => name) : [];
};

test('a template is stored for its profile, by name, and is there after a restart', async () => {
  expect(await app.request('templates.save', { ...night, name: 'Parking', amount: null })).toMatchObject({
    ok: true,
  });
  expect(await app.request('templates.save', night)).toMatchObject({ ok: true });
  expect(await names()).toEqual(['A night', 'Parking']);
  expect(await names('shop')).toEqual([]);
  const stored = JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as {
    templates: { name: string; amount: string | null }[];
  };
  expect(stored.templates.map(({ name, amount }) => [name, amount])).toEqual([
    ['Parking', null],
    ['A night', '89.00'],
  ]);
});

test('a template contains no customer: such fields are never written to the disk', async () => {
  const { name: _name, ...rest } = night;
  await app.request('templates.save', {
    ...rest,
    name: 'Sneaky',
    customer: { name: 'Anna Nowak' },
    orderNumber: 'CF-1',
  } as unknown as RequestInput<'templates.save'>);
  expect(readFileSync(join(app.folder, 'settings.json'), 'utf8')).not.toMatch(/Nowak|CF-1/);
});

test('two templates of one profile cannot have the same name', async () => {
  expect(await app.request('templates.save', { ...night, name: 'a NIGHT' })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', fields: [{ path: 'name' }] },
  });
});

test('a template can be renamed, removed and restored', async () => {
  const listed = await app.request('templates.list', { profileId: 'sandbox' });
  const parking = listed.ok ? listed.value.templates.find(({ name }) => name === 'Parking') : undefined;
  if (!parking) throw new Error('no template');
  await app.request('templates.save', { ...parking, name: 'Garage' });
  expect(await names()).toContain('Garage');
  expect(await names()).not.toContain('Parking');
  await app.request('templates.remove', { id: parking.id });
  expect(await names()).not.toContain('Garage');
  await app.request('templates.save', { ...parking, name: 'Garage' });
  const again = await app.request('templates.list', { profileId: 'sandbox' });
  expect(again.ok && again.value.templates).toContainEqual({ ...parking, name: 'Garage' });
});
