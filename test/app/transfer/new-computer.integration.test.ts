import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import {
  addShop,
  hasCallback,
  newPayment,
  startTestApp,
  type TestApp,
} from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** Moving to another computer, in both ways that docs/use/installation.md describes. Its keychain is empty. */

const old = useApp();
let profileId: string;
beforeEach(async () => {
  profileId = await addShop(old);
  await old.value('settings.change', { retentionDays: 365 });
  for (const orderNumber of ['MOVE-1', 'MOVE-2']) {
    await old.value('payments.create', newPayment({ orderNumber }));
    await old.until(orderNumber, hasCallback);
  }
});

/** What a person sees of the payments, newest first, and the evidence of each. */
const paymentsOf = async (app: TestApp): Promise<unknown[]> => {
  const { rows } = await app.value('payments.list', { filter: {} });
  return Promise.all(
    rows.map(async row => ({
      row,
      events: (await app.value('payments.read', { profileId: row.profileId, orderNumber: row.orderNumber }))
        .events,
    })),
  );
};
/** The secret path of the profile's callbacks. */
const pathOf = ({ folder }: TestApp): string | undefined => {
  const stored = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as {
    callbackPaths: Record<string, string>;
  };
  return stored.callbackPaths[profileId];
};
const hasPassword = ({ profiles }: { profiles: { id: string; password: string }[] }): boolean => {
  const found = profiles.find(({ id }) => id === profileId);
  if (!found) throw new Error('no profile');
  return ['stored', 'this-run-only'].includes(found.password);
};

test('the copied data folder has the same payments, settings and callback addresses, without passwords', async () => {
  const before = await paymentsOf(old);
  expect(hasPassword(await old.state())).toBe(true);
  const { receiver } = (await old.state()).settings;
  await old.value('settings.change', { receiver: { ...receiver, enabled: true, port: 0 } });
  const path = pathOf(old);
  await old.close();
  const folder = newFolder('moved');
  cpSync(old.folder, folder, { recursive: true });
  const moved = await startTestApp(folder);
  onTestFinished(() => moved.remove());
  expect(before).toHaveLength(2);
  expect(await paymentsOf(moved)).toEqual(before);
  expect(path).toMatch(/.{20}/);
  expect(pathOf(moved)).toBe(path);
  const state = await moved.state();
  const { settings, log } = state;
  expect(settings.retentionDays).toBe(365);
  expect(log.problem).toBeNull();
  expect(hasPassword(state)).toBe(false);
  expect((await moved.value('log.verify', {})).problems).toEqual([]);
  // The chain continues.
  await moved.value('payments.create', newPayment({ orderNumber: 'MOVE-3' }));
  expect((await moved.value('log.verify', {})).problems).toEqual([]);
});
