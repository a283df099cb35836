import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createDraftFile } from '../../../main/app/drafts/draft-file.ts';
import { createDraftStore } from '../../../main/app/drafts/drafts-feature.ts';
import type { RequestOutput, StoredDraft } from '../../../shared/contract/contract.ts';
import { fail } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { newPayment, value } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The open forms for a new payment: a real keychain, real files. */

const dayMs = 86_400_000;
let now = Date.now();
const clock = (): number => now;
const app = useApp({ clock });
/** Anna alone, without open forms. */
afterEach(async () => {
  await app.backToFirst();
  await read();
  await save();
});

const draft = (changes: Partial<StoredDraft> = {}): StoredDraft => ({
  id: crypto.randomUUID(),
  idempotencyKey: crypto.randomUUID(),
  amount: '80',
  currency: 'EUR',
  orderNumber: 'B-7',
  suggested: '',
  description: 'Deposit',
  customerName: "Zoë O'Brien",
  customerEmail: 'zoe@secret.example',
  customerPhone: '+49 1512 3456780',
  methods: ['card'],
  language: null,
  expiryMinutes: null,
  billing: null,
  customData: '',
  requestCardToken: null,
  recurring: false,
  hadCardToken: false,
  ...changes,
});
const save = async (...drafts: StoredDraft[]) => {
  const { agentId } = await app.state();
  const active = drafts.at(-1)?.id ?? null;
  return app.request('drafts.save', { profileId: 'sandbox', agentId, drafts, active });
};
const read = async (profileId = 'sandbox'): Promise<RequestOutput<'drafts.read'>> =>
  await app.value('drafts.read', { profileId });
const file = (): string => join(app.folder, 'drafts.bin');

test('open forms are kept over a restart, in their order, and no file contains what was typed', async () => {
  const [first, second] = [draft(), draft({ amount: '12,50', customerName: 'Maria' })];
  await read();
  expect(value(await save(first, second))).toEqual({ kept: 'restart' });
  await app.restart(() => {
    for (const name of readdirSync(app.folder, { recursive: true, withFileTypes: true }))
      if (name.isFile())
        expect(readFileSync(join(name.parentPath, name.name)).includes('secret.example')).toBe(false);
  });
  expect(await read()).toEqual({ drafts: [first, second], active: second.id, kept: 'restart' });
  await save();
  await app.restart(() => expect(existsSync(file())).toBe(false));
});

test('a person sees the forms that they typed in this profile, and no others', async () => {
  await save(draft());
  const grace = await app.addPerson('Grace', 'agent');
  const [anna] = (await app.state()).agents;
  await app.request('agents.signIn', { id: grace.id, pin: null });
  expect((await read()).drafts).toEqual([]);
  await save(draft({ customerName: 'A caller of Grace' }));
  await app.request('agents.signIn', { id: anna?.id ?? '', pin: null });
  expect((await read()).drafts.map(({ customerName }) => customerName)).toEqual(["Zoë O'Brien"]);
  expect((await read('other')).drafts).toEqual([]);
});

test('forms that are saved after another person has signed in do not become theirs', async () => {
  const { agentId: anna } = await app.state();
  const grace = await app.addPerson('Grace', 'agent');
  await app.request('agents.signIn', { id: grace.id, pin: null });
  const late = { profileId: 'sandbox', agentId: anna, drafts: [draft()], active: null };
  expect(await app.refusal('drafts.save', late)).toBe('input.invalid');
  expect((await read()).drafts).toEqual([]);
});

test('the forms of a person who is removed are removed', async () => {
  const grace = await app.addPerson('Grace', 'agent');
  const [anna] = (await app.state()).agents;
  await app.request('agents.signIn', { id: grace.id, pin: null });
  await save(draft());
  await app.request('agents.signIn', { id: anna?.id ?? '', pin: null });
  await app.request('agents.remove', { id: grace.id, pin: null });
  await app.restart(() => expect(existsSync(file())).toBe(false));
});

test('a form that was not changed for 7 days is dropped, and opening or saving it unchanged does not extend that', async () => {
  const [old, changed] = [draft(), draft()];
  await save(old, changed);
  now += 6 * dayMs;
  // The window gives each form that it opens another key.
  await save({ ...old, idempotencyKey: crypto.randomUUID() }, { ...changed, amount: '81' });
  now += dayMs;
  expect((await read()).drafts.map(({ id }) => id)).toEqual([changed.id]);
});

test('a file that cannot be read for a moment is not replaced', async () => {
  const [earlier, later] = [draft(), draft({ amount: '5' })];
  await save(earlier);
  await app.restart(() => {
    renameSync(file(), `${file()}.away`);
    mkdirSync(file());
  });
  expect(await read()).toMatchObject({ drafts: [], kept: 'this-run' });
  await save(later);
  rmdirSync(file());
  renameSync(`${file()}.away`, file());
  expect(await read()).toMatchObject({ drafts: [earlier, later], kept: 'restart' });
});

test('a form whose link was created is not kept, even if the window never saved that', async () => {
  const sent = draft();
  await save(sent, draft({ amount: '9' }));
  await app.value('payments.create', newPayment({ idempotencyKey: sent.idempotencyKey }));
  await app.restart();
  expect((await read()).drafts.map(({ amount }) => amount)).toEqual(['9']);
});

test('a form with a card number is refused, and one with a telephone number is kept', async () => {
  for (const changes of [{ description: '4111 1111 1111 1111' }, { customData: 'a: 4111111111111111' }])
    expect(await save(draft(changes))).toMatchObject({ error: { code: 'input.card-number' } });
  expect((await read()).drafts).toEqual([]);
  expect(await save(draft({ customerPhone: '+49 1512 3456780' }))).toMatchObject({ ok: true });
});

const locked = async () => fail('keychain.locked', msg('error.keychain.locked'));

test('without a keychain, forms are kept in this run, nothing is written, and earlier ones are read once the keychain responds', async () => {
  const owner = { agentId: 'anna', profileId: 'sandbox' };
  const own = join(newFolder('drafts'), 'drafts.bin');
  const keys = new Map<string, string>();
  let isLocked = false;
  const credentials = {
    password: async (id: string) => {
      if (isLocked) return locked();
      const key = keys.get(id);
      return key === undefined
        ? fail('profile.password-missing', msg('keychain.no-password'))
        : { ok: true as const, value: key };
    },
    set: async (id: string, key: string) => {
      if (isLocked) return locked();
      keys.set(id, key);
      return { ok: true as const, value: undefined };
    },
  };
  const open = () => {
    const draftFile = createDraftFile(own, credentials);
    return { draftFile, store: createDraftStore(draftFile, () => true, clock) };
  };
  const earlier = draft();
  const before = open();
  before.store.save(owner, [earlier], null);
  await before.store.flush();
  const bytes = readFileSync(own);

  isLocked = true;
  const { draftFile, store } = open();
  const later = draft({ amount: '5' });
  store.save(owner, [later], later.id);
  expect((await store.read(owner)).drafts).toEqual([later]);
  await store.flush();
  expect(draftFile.kept()).toBe('this-run');
  expect(readFileSync(own).equals(bytes)).toBe(true);

  isLocked = false;
  // The window, which does not know the earlier ones yet, continues to save its own.
  const typed = { ...later, amount: '50' };
  store.save(owner, [typed], later.id);
  await store.flush();
  store.save(owner, [later], later.id);
  expect((await store.read(owner)).drafts).toEqual([earlier, later]);
  expect(draftFile.kept()).toBe('restart');
  store.save(owner, [later], later.id);
  expect((await store.read(owner)).drafts).toEqual([later]);
});
