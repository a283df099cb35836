import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Alert } from '../../../shared/alerts/alert.schema.ts';
import { defaultAlertChoices, type AlertChoices } from '../../../shared/alerts/alert.ts';
import { attemptHistories, moved, paidWithoutCallback } from '../../../tools/evidence/incomplete-payments.ts';
import { inState, newPayment, press } from '../../../tools/app-harness/running-app.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** The alerts of the running application, without its window. */

const minute = 60_000;
let blocker: Server | null = null;
/** What the console's clock is ahead, milliseconds. */
let ahead = 0;
const clock = (): number => Date.now() + ahead;

const app = useApp({ clock });
afterEach(async () => {
  ahead = 0;
  blocker?.close();
  await app.backToFirst();
  await choose({});
});

const read = async (): Promise<readonly Alert[]> => (await app.value('alerts.read', {})).alerts;
const kinds = async (): Promise<string[]> => (await read()).map(({ kind }) => kind);
const receiverKinds = async (): Promise<string[]> =>
  (await kinds()).filter(kind => kind === 'receiver-unreachable');
const choose = async (changes: Partial<AlertChoices>): Promise<void> => {
  await app.value('alerts.choose', { ...defaultAlertChoices, ...changes });
};
const signInAs = async (name: string): Promise<string> => {
  const { agents } = await app.state();
  const known = agents.find(one => one.name === name);
  const { id } = known ?? (await app.addPerson(name, 'supervisor'));
  await app.value('agents.signIn', { id, pin: null });
  return id;
};
/** Quiet hours that have begun and do not end in this test. */
const aroundNow = (): { from: string; until: string } => {
  const hour = new Date(clock()).getHours();
  const of = (ahead: number): string => `${String((hour + 24 + ahead) % 24).padStart(2, '0')}:00`;
  return { from: of(-1), until: of(2) };
};
const notifications = () =>
  app.outside.notifications
    .map(({ title, body }) => `${title}: ${body}`)
    .filter(text => text.startsWith('Callbacks'));

test('a link that expires soon is one alert for the person who created it, until it is paid', async () => {
  const { payment } = await app.value('payments.create', newPayment());
  const { orderNumber } = payment;
  expect(await read()).toEqual([]);
  ahead = 51 * minute;
  await choose({});
  await expect
    .poll(read)
    .toMatchObject([
      { kind: 'link-expiring', seen: false, payment: { orderNumber, customer: null, state: 'waiting' } },
    ]);
  expect(JSON.stringify(await read())).not.toContain(payment.link?.url);
  await choose({});
  await signInAs('Ben');
  await expect.poll(kinds).toEqual([]);
  await signInAs('anna');
  await expect.poll(kinds).toEqual(['link-expiring']);
  await press(payment);
  await app.until(orderNumber, inState('paid-confirmed'));
  await expect.poll(kinds).toEqual(['paid']);
});

test('a callback is overdue when the status check says paid and none came, where callbacks come at all', async () => {
  const evidence = [
    ...moved(paidWithoutCallback, 'reached', 'A-1'),
    ...moved(attemptHistories['paid-without-look-up'], 'reached', 'A-2'),
    ...moved(paidWithoutCallback, 'unreached', 'A-3'),
  ];
  await app.restart(() => writeClosedLog(app.logFile, evidence));
  await expect.poll(read).toContainEqual(
    expect.objectContaining({
      kind: 'callbacks-overdue',
      payment: expect.objectContaining({ profileId: 'reached', orderNumber: 'A-1' }) as unknown,
    }),
  );
  expect((await kinds()).filter(kind => kind === 'callbacks-overdue')).toHaveLength(1);
});

test('a receiver that cannot listen is an alert on the desktop, outside the person’s quiet hours, until it listens', async () => {
  const server = createServer();
  blocker = server;
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { receiver } = (await app.state()).settings;
  await app.request('settings.change', { receiver: { ...receiver, enabled: true, port } });
  // Twice, since a listener that fails is tried again.
  const look = async (): Promise<string[]> => {
    await choose({});
    return receiverKinds();
  };
  await expect.poll(look, { timeout: 10_000, interval: 1_200 }).toEqual(['receiver-unreachable']);
  await expect
    .poll(notifications)
    .toEqual([
      'Callbacks cannot be received: Callbacks are turned on, but the receiver is not listening. See Settings > Receiver.',
    ]);
  app.outside.notifications.at(-1)?.press();
  expect((await app.value('app.takePendingNavigation', {})).target).toEqual({
    screen: 'settings',
    section: 'receiver',
    id: null,
  });

  await app.request('settings.change', { receiver: { ...receiver, enabled: false, port } });
  await expect.poll(look, { timeout: 10_000, interval: 1_200 }).toEqual([]);

  const quiet = { quietHours: aroundNow() };
  await app.request('settings.change', { receiver: { ...receiver, enabled: true, port } });
  const lookQuietly = async (): Promise<string[]> => {
    await choose(quiet);
    return receiverKinds();
  };
  await expect.poll(lookQuietly, { timeout: 10_000, interval: 1_200 }).toEqual(['receiver-unreachable']);
  expect(notifications()).toHaveLength(1);
}, 60_000);

test('what a person chose is kept for them alone, over a restart, and removed with them', async () => {
  const ben = await signInAs('Ben');
  const chosen: AlertChoices = {
    ...defaultAlertChoices,
    outcomesOf: 'mine',
    expiringMinutes: 30,
    quietHours: { from: '12:00', until: '13:00' },
  };
  await choose(chosen);
  await signInAs('anna');
  expect((await app.state()).alertChoices).toEqual(defaultAlertChoices);
  await app.restart();
  expect((await app.state()).alertChoices).toEqual(defaultAlertChoices);
  await signInAs('Ben');
  expect((await app.state()).alertChoices).toEqual(chosen);
  await signInAs('anna');
  const stored = (): string => readFileSync(join(app.folder, 'settings.json'), 'utf8');
  expect(stored()).toContain('"expiringMinutes": 30');
  await app.value('agents.remove', { id: ben, pin: null });
  await expect.poll(stored).not.toContain('"expiringMinutes": 30');
});
