import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { transferFormat, transferVersion } from '../../shared/administration/settings-transfer.ts';
import { policyVersion } from '../../shared/administration/policy.ts';
import { profileDefaults } from '../../shared/settings/profile.ts';
import { box, button, ipcRequest, word, inPage } from '../browser-harness/console.ts';
import { closeOverlays, openForIt, settings, type Reach } from './reach.ts';
import { seedLog } from './seeded-log.ts';

/** The screens that need files of an administrator: a policy and exported settings. */

const shop = {
  name: 'Blue chair',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'shop-test-key-1',
  successUrl: 'https://shop.test/thank-you?order={order}',
  cancelUrl: 'https://shop.test/cancelled?order={order}',
} as const;

const toImport = 'settings-1.json';

/** A policy file, and a file to import. */
export const writeAdministrationFiles = (userData: string): void => {
  const write = (file: string, content: object): void =>
    // A policy that others can change is refused.
    writeFileSync(join(userData, file), JSON.stringify(content), { mode: 0o600 });
  write('policy.json', {
    version: policyVersion,
    settings: { retentionDays: 365 },
    profiles: [{ id: 'shop-1', ...shop }],
  });
  write(toImport, {
    format: transferFormat,
    version: transferVersion,
    exportedAt: '2026-11-20T09:00:00.000Z',
    writtenBy: '0.1.0',
    settings: { lookUpAutomatically: false, retentionDays: 30 },
    profiles: [
      { ...profileDefaults, ...shop, id: 'shop-2', name: 'Two tickets', merchantKey: 'tickets-key' },
    ],
  });
};

/** What every screen needs before the start; also payments with each cause for a review. */
export const prepareScreens = async (userData: string): Promise<void> => {
  await seedLog(userData);
  writeAdministrationFiles(userData);
};

/** Turns the receiver on; resolves to its origin. */
const turnReceiverOn = async (page: Page): Promise<string> => {
  const { state } = inPage(page);
  const { receiver } = (await state()).settings;
  if (!receiver.enabled)
    await ipcRequest(page, 'settings.change', { receiver: { ...receiver, enabled: true } });
  const address = (await state()).receiver.addresses.find(one => one.profileId !== 'sandbox');
  if (!address) throw new Error('the receiver has no address');
  return new URL(address.url).origin;
};

export const administrationScreens: Readonly<Record<string, Reach>> = {
  'a profile that the policy fixes': async page => {
    await settings('settings.profiles', of => button(of, 'profile.set-password').waitFor())(page);
    await button(page, 'profile.set-password').click();
    await page.getByLabel(word('profile.password')).first().waitFor();
  },
  'the preview of an import': async (page, app) => {
    await app.evaluate(({ app, dialog }, file) => {
      const filePaths = [`${app.getPath('userData')}/${file}`];
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths });
    }, toImport);
    await settings('settings.data', of => button(of, 'transfer.import').waitFor())(page);
    await button(page, 'transfer.import').click();
    await page.getByRole('dialog', { name: word('transfer.preview') }).waitFor();
  },
  'the receiver, tested from outside': async page => {
    await closeOverlays(page);
    const origin = await turnReceiverOn(page);
    await settings('settings.receiver', of => openForIt(of, 'receiver.outside-address'))(page);
    await box(page, 'receiver.outside-address').fill(origin);
    await button(page, 'outside.do').click();
    await page.getByText(word('outside.reached.good')).waitFor();
  },
};
