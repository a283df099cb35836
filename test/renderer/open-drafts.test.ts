import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useAppState } from '../../renderer/stores/app-state-store.ts';
import {
  noOptions,
  type Draft,
  allDrafts,
  draftsOf,
  maxDrafts,
} from '../../renderer/stores/new-payment/drafts.ts';
import { toStored } from '../../renderer/stores/new-payment/keep-drafts.ts';
import { useNewPayment } from '../../renderer/stores/new-payment/new-payment-store.ts';
import type { AppState } from '../../shared/contract/contract.ts';
import { draftSchema } from '../../shared/contract/payments/draft-requests.ts';
import { msg } from '../../shared/messages/message.ts';
import { answerAsMain } from './answer-as-main.ts';
import { shopProfile as profile } from './shop-profile.ts';

/** Responses of the gateway that are still to come, by idempotency key. */
const waiting = new Map<string, (answer: unknown) => void>();
const respond = (name: string, input: Record<string, unknown>): unknown =>
  name === 'payments.create'
    ? new Promise(resolve => waiting.set(String(input['idempotencyKey']), resolve))
    : { ok: true, value: { orderNumber: 'CF-1' } };
beforeEach(() => answerAsMain(respond));
afterEach(() => vi.unstubAllGlobals());

const form = () => useNewPayment.getState();
const submit = () =>
  form().submit(
    profile,
    { locale: 'en-GB', language: 'en' },
    { allowDuplicate: false, allowSameIntent: false },
  );
const created = { ok: true, value: { payment: { profileId: 'shop', orderNumber: 'A-1', link: null } } };
const refused = { ok: false, error: { code: 'gateway.refused', message: msg('error.gateway.refused') } };

beforeEach(async () => {
  waiting.clear();
  useAppState.setState({
    appState: {
      profiles: [profile],
      settings: { activeProfileId: 'shop' },
      agents: [],
      agentId: '',
      team: null,
    } as unknown as AppState,
  });
  form().reset();
  useNewPayment.setState({ isShown: true });
  await form().open(profile);
});

type Model = { tabs: string[]; at: number; closed: { text: string; at: number } | null };
type Step =
  | { do: 'type'; text: string }
  | { do: 'new' | 'next' | 'undo' }
  | { do: 'switch' | 'close'; at: number };

test('any order of typing, opening, switching, closing and undoing keeps the content of each form', () => {
  const at = fc.nat({ max: maxDrafts });
  const step = fc.oneof(
    fc.record({ do: fc.constant('type' as const), text: fc.stringMatching(/^[a-z]{1,6}$/) }),
    fc.record({ do: fc.constantFrom('new' as const, 'next' as const, 'undo' as const) }),
    fc.record({ do: fc.constantFrom('switch' as const, 'close' as const), at }),
  );
  const apply = (model: Model, one: Step): void => {
    const { tabs } = model;
    if (one.do === 'type') {
      form().type('description', one.text);
      tabs[model.at] = one.text;
    } else if (one.do === 'new') {
      form().openDraft({});
      if (tabs[model.at] !== '' && tabs.length < maxDrafts) {
        tabs.push('');
        model.at = tabs.length - 1;
      }
    } else if (one.do === 'next') {
      form().switchToPlace('next');
      model.at = (model.at + 1) % tabs.length;
    } else if (one.do === 'switch') {
      form().switchToPlace(one.at);
      if (one.at < tabs.length) model.at = one.at;
    } else if (one.do === 'close') {
      const id = draftsOf(form())[one.at]?.id;
      if (id === undefined) return;
      form().close(id);
      const [text = ''] = tabs.splice(one.at, 1);
      if (text !== '') model.closed = { text, at: one.at };
      if (model.at > one.at || model.at === tabs.length) model.at -= 1;
      if (tabs.length === 0) [model.tabs, model.at] = [[''], 0];
    } else if (model.closed) {
      form().undoClose();
      const rest = tabs[model.at] === '' ? tabs.toSpliced(model.at, 1) : tabs;
      if (rest.length >= maxDrafts) return;
      const place = Math.min(model.closed.at, rest.length);
      model.tabs = rest.toSpliced(place, 0, model.closed.text);
      model.at = place;
      model.closed = null;
    }
  };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      form().reset();
      void form().open(profile);
      const model: Model = { tabs: [''], at: 0, closed: null };
      for (const one of steps) {
        apply(model, one);
        expect(draftsOf(form()).map(({ description }) => description)).toEqual(model.tabs);
        expect(form().description).toBe(model.tabs[model.at]);
        expect(form().closed?.draft.description ?? null).toBe(model.closed?.text ?? null);
        expect(new Set(draftsOf(form()).map(({ id }) => id)).size).toBe(model.tabs.length);
      }
    }),
    { numRuns: 300 },
  );
});

test('the refusal of a request stays with the form that sent it, while another one is typed', async () => {
  form().type('description', 'Boots');
  const first = submit();
  const { id, idempotencyKey } = form();
  form().openDraft({});
  form().type('description', 'Second caller');
  waiting.get(idempotencyKey)?.(refused);
  expect(await first).toBeNull();
  expect(form()).toMatchObject({ description: 'Second caller', problem: null, touched: [] });
  form().switchTo(id);
  expect(form()).toMatchObject({ description: 'Boots', submitting: false });
  expect(form().problem?.code).toBe('gateway.refused');
  expect(form().touched).toContain('amount');
});

test('a form that is being sent does not block another one, and its tab closes once its link was created', async () => {
  form().type('description', 'First');
  const first = submit();
  const { idempotencyKey } = form();
  form().openDraft({ description: 'Second' });
  const second = submit();
  waiting.get(form().idempotencyKey)?.(created);
  expect(await second).toMatchObject({ payment: { orderNumber: 'A-1' } });
  expect(form()).toMatchObject({ description: 'First', submitting: true });
  form().openDraft({ description: 'Third' });
  waiting.get(idempotencyKey)?.(created);
  // Another form is shown: nothing is opened over it.
  expect(await first).toBeNull();
  expect(form()).toMatchObject({ description: 'Third', sent: { orderNumber: 'A-1', hasLink: false } });
  expect(allDrafts(form())).toHaveLength(1);
});

test('a form that is being sent cannot be closed', () => {
  form().type('description', 'First');
  void submit();
  form().close(form().id);
  expect(form()).toMatchObject({ description: 'First', submitting: true, closed: null });
});

test.each<[string, Partial<Draft>]>([
  ['a card token', { cardToken: 'tok_1' }],
  ['an order number', { orderNumber: 'B-7' }],
  [
    'a billing address',
    { billing: { address: 'Ring 1', zip: '', city: '', state: '', country: '', phone: '' } },
  ],
  ['a lifetime', { expiryMinutes: 5 }],
  ['consent to charge again', { recurring: true }],
])('what is repeated for a customer never begins with %s that was chosen for another one', (_, chosen) => {
  useNewPayment.setState(chosen);
  const before = form().id;
  form().openDraft({ customerName: 'Zoë O’Brien' });
  expect(form().id).not.toBe(before);
  expect(form()).toMatchObject({ ...noOptions, customerName: 'Zoë O’Brien' });
  expect(allDrafts(form()).find(({ id }) => id === before)).toMatchObject(chosen);
});

test('taking over the form of another profile costs no form that is in use', async () => {
  form().type('customerName', 'First caller');
  const other = { ...profile, id: 'other' };
  await form().open(other);
  const state = useAppState.getState().appState;
  if (state === null) throw new Error('no state');
  useAppState.setState({
    appState: {
      ...state,
      profiles: [profile, other],
      settings: { ...state.settings, activeProfileId: 'other' },
    },
  });
  form().type('customerName', 'Second caller');
  form().takeLeft();
  expect(form()).toMatchObject({ profileId: 'other', customerName: 'First caller', left: null });
  expect(allDrafts(form()).map(({ customerName }) => customerName)).toEqual([
    'Second caller',
    'First caller',
  ]);
});

test('clearing a form with content can be undone', async () => {
  form().type('customerName', 'Zoë O’Brien');
  await form().clear(profile);
  expect(form().customerName).toBe('');
  form().undoClose();
  expect(form().customerName).toBe('Zoë O’Brien');
  expect(allDrafts(form())).toHaveLength(1);
});

test('at most nine forms are open, and a further one is refused with a note', () => {
  for (let at = 0; at < maxDrafts; at += 1) {
    form().openDraft({});
    form().type('description', `Form ${at}`);
  }
  expect(form().openDraft({ description: 'One more' })).toBe(false);
  expect(form()).toMatchObject({ isFull: true, description: 'Form 8' });
});

test('a result is dropped if another person has signed in since', async () => {
  form().type('description', 'Mine');
  const sent = submit();
  const { idempotencyKey } = form();
  form().reset();
  await form().open(profile);
  waiting.get(idempotencyKey)?.(created);
  expect(await sent).toBeNull();
  expect(form()).toMatchObject({ description: '', sent: null });
});

test('any typed content fits the contract when it is saved, without a card token or a card number', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constant('x'.repeat(5_000)),
    fc.constant('4111 1111 1111 1111'),
  );
  const typed: fc.Arbitrary<Draft> = fc.record({
    amount: text,
    currency: fc.constant('EUR'),
    orderNumber: text,
    description: text,
    customerName: text,
    customerEmail: text,
    customerPhone: text,
    customData: text,
    cardToken: fc.constant('tok_secret'),
    methods: fc.constant(['card']),
    language: fc.constantFrom('de' as const, null),
    expiryMinutes: fc.constantFrom(60, null),
    billing: fc.constantFrom(null, {
      address: '4111111111111111',
      zip: '',
      city: '',
      state: '',
      country: '',
      phone: '+49 1512 3456780',
    }),
    requestCardToken: fc.constant(null),
    recurring: fc.boolean(),
  });
  fc.assert(
    fc.property(typed, draft => {
      useNewPayment.setState({ ...noOptions, ...draft });
      const [open] = allDrafts(form());
      if (open === undefined) throw new Error('no form is open');
      const stored = toStored(open);
      expect(draftSchema.parse(stored)).toEqual(stored);
      expect(stored.hadCardToken).toBe(true);
      expect(JSON.stringify(stored)).not.toMatch(/tok_secret|4111/);
    }),
  );
});
