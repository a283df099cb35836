import { beforeAll, expect, test } from 'vitest';
import { addShop, openReceiver } from '../../../tools/app-harness/running-app.ts';
import { answering } from '../../../tools/server-harness/test-server.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** A test of the public address: the real receiver, behind real servers that answer as they do in practice. */

const app = useApp();
let profileId: string;
beforeAll(async () => {
  profileId = await addShop(app);
});

const testOf = async (url: string): Promise<[string, string][]> => {
  const { steps } = await app.value('receiver.testOutside', { profileId, url });
  return steps.map(({ step, outcome, title, meaning }) => [
    `${step} ${outcome}`,
    step === 'reached' ? meaning.key : title.key,
  ]);
};
const startReceiver = () => openReceiver(app, profileId);

const callbacks = async () => (await app.value('callbacks.recent', {})).events;

test('a call that arrives here is recognised, and nothing is stored', async () => {
  const { origin } = new URL(await startReceiver());
  const before = await callbacks();
  expect((await testOf(origin)).at(-1)).toEqual(['reached good', 'outside.reached.good.text']);
  expect(await callbacks()).toEqual(before);
});

test('an address is called only after a person has named it as their own, outside the page', async () => {
  const { port, requests } = await answering((_, response) => response.end('OK'));
  const url = `http://127.0.0.1:${port}`;
  app.outside.asked.length = 0;
  app.outside.answer = false;
  expect(await testOf(`${url}/any?path`)).toEqual([]);
  app.outside.answer = true;
  for (const _ of [1, 2]) expect((await testOf(url)).at(-1)).toContain('outside.reached.other.text');
  expect(requests).toHaveLength(2);
  const asked = JSON.stringify(['outside.confirm', { origin: url }]);
  expect(app.outside.asked).toEqual([asked, asked]);
});

test('a mark of an earlier test is an ordinary callback', async () => {
  const address = await startReceiver();
  const before = await callbacks();
  await testOf(new URL(address).origin);
  const body = new URLSearchParams({ order_number: `counterfoil-test-${crypto.randomUUID()}`, type: 'test' });
  expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
  expect(await callbacks()).toHaveLength(before.length + 1);
});

test.each([
  [200, 'outside.reached.other.text'],
  [301, 'outside.reached.redirect.text'],
  [404, 'outside.reached.path.text'],
  [405, 'outside.reached.post.text'],
  [502, 'outside.reached.tunnel.text'],
  [500, 'outside.reached.error.text'],
])('another server that answers %i is not taken for this receiver', async (status, meaning) => {
  await startReceiver();
  const { port } = await answering((_, response) => response.writeHead(status).end('OK'));
  expect((await testOf(`http://127.0.0.1:${port}`)).at(-1)).toEqual(['reached bad', meaning]);
});

test('a server that passes the call on but answers something else is named', async () => {
  const { origin, pathname } = new URL(await startReceiver());
  const { port } = await answering(({ body }, response) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    void fetch(origin + pathname, { method: 'POST', headers, body }).then(() =>
      response.writeHead(204).end(),
    );
  });
  expect((await testOf(`http://127.0.0.1:${port}`)).at(-1)).toEqual([
    'reached bad',
    'outside.reached.changed.text',
  ]);
});

test('the steps end where the call stops: the name, the connection, the answer', async () => {
  expect(await testOf('https://nowhere.invalid')).toEqual([['name bad', 'outside.name.bad']]);
  const gone = await answering(() => undefined);
  await gone.close();
  expect((await testOf(`http://127.0.0.1:${gone.port}`)).at(-1)).toEqual([
    'connect bad',
    'outside.connect.bad',
  ]);
  const mute = await answering((_, response) => response.destroy());
  expect((await testOf(`http://127.0.0.1:${mute.port}`)).at(-1)).toEqual([
    'answer bad',
    'outside.answer.bad',
  ]);
});
