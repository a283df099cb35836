import { expect, vi } from 'vitest';
import { joiningText } from '../../main/team/joining-text.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { newFolder } from '../app-harness/new-folder.ts';
import { openShop, prepareShop } from '../app-harness/prepared-shop.ts';
import { startTestApp, type TestApp } from '../app-harness/running-app.ts';

/** Time within which a console and its shared log agree, milliseconds. */
export const agreeWithinMs = 25_000;

const becomes = (app: TestApp, standing: object): Promise<void> =>
  vi.waitFor(async () => expect((await app.state()).team).toMatchObject(standing), {
    timeout: agreeWithinMs,
  });

/** Resolves when everything of a console is in its shared log. */
export const isShipped = (app: TestApp): Promise<void> => becomes(app, { state: 'connected', waiting: 0 });

/** As `isShipped`, and its list has what the others wrote: after a cut network that takes some seconds longer. */
export const isLevel = (app: TestApp): Promise<void> =>
  becomes(app, { state: 'connected', waiting: 0, others: { isLevel: true } });

/** Joins a console to a shared log, with an account of it. */
export const joinTeam = async (app: TestApp, settings: SharedLogSettings): Promise<void> => {
  await app.value('team.join', { text: joiningText(settings) });
  await isShipped(app);
};

/** Starts a console with the prepared shop, and joins it. `agent`: who is signed in. */
export const startShopOfTeam = async (
  agent: string,
  settings: SharedLogSettings,
  profile: Parameters<typeof prepareShop>[2],
): Promise<TestApp> => {
  const folder = newFolder(agent);
  await prepareShop(folder, agent, profile);
  const app = await startTestApp(folder);
  await openShop(app);
  await joinTeam(app, settings);
  await isLevel(app);
  return app;
};
