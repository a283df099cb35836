import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { Result } from '../../shared/errors.ts';
import type { CallbackFields, EventDraft } from '../../shared/payments/evidence.ts';
import { profileDefaults } from '../../shared/settings/profile.ts';
import { hashed, signedText } from '../../tools/evidence/sign-callback.ts';
import { openKeyring } from '../../tools/keyring/keyring-session.ts';
import { box, button, goTo, ipcRequest, word } from '../../tools/browser-harness/console.ts';
import { launch, willChoose, type Application } from '../../tools/browser-harness/harness.ts';
import {
  hotelMerchant,
  monthOfPayments,
  paperContext,
  paperFacts,
} from '../../tools/papers/invented-month.ts';
import { smallLogo } from '../../tools/papers/small-logo.ts';
import { paymentEvents } from '../bench/payments.ts';
import { execFileSync } from 'node:child_process';
import { statementPage } from '../../main/export/papers/statement-page.ts';
import type { Orientation } from '../../shared/reports/export.ts';
import { openPaperPrinter } from '../../tools/papers/print-paper.ts';

/**
 * The pictures of README, and of papers: a hotel's profile, people with names, links of the hotel's provider; cropped to what they
 * show.
 */

/** The pictures of papers in docs/use: the first page of each, from its PDF. Needs pdftoppm (package poppler-utils). */

const dotsPerInch = 76;
/** Size limit of a picture, bytes. */
const maxBytes = 120_000;

/** `maxHeight`: pixels from the top; a dense page would be too large as a whole. */
const savePicture = (folder: string, name: string, pdf: string, maxHeight = 2_000): void => {
  const file = join(folder, name);
  const part = ['-x', '0', '-y', '0', '-W', '2000', '-H', String(maxHeight)];
  execFileSync('pdftoppm', ['-png', '-singlefile', '-r', String(dotsPerInch), ...part, pdf, file]);
  const { size } = statSync(`${file}.png`);
  if (size > maxBytes) throw new Error(`${name}.png has ${String(size)} bytes`);
  console.log(`  ${file}.png`);
};

/** What the window would print now. */
const printWindow = async (page: Page, pdf: string): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  writeFileSync(pdf, await page.pdf({ preferCSSPageSize: true, printBackground: true }));
};

/** `page` shows the paid payment of `profileId`, whose merchant is `hotelMerchant(smallLogo)`. */
const takePaperPictures = async (
  folder: string,
  app: Application,
  page: Page,
  paid: { profileId: string; orderNumber: string },
): Promise<void> => {
  const work = mkdtempSync(join(tmpdir(), 'counterfoil-papers-'));
  const printer = await openPaperPrinter();
  try {
    for (const orientation of ['portrait', 'landscape'] satisfies Orientation[]) {
      const pdf = join(work, `${orientation}.pdf`);
      const html = statementPage(
        monthOfPayments(400),
        paperFacts,
        hotelMerchant(smallLogo),
        paperContext('en', 'en-GB'),
        orientation,
      );
      writeFileSync(pdf, await printer.print(html));
      savePicture(folder, `statement-${orientation}`, pdf, orientation === 'portrait' ? 380 : 300);
    }
    const dossier = join(work, 'dossier.pdf');
    await willChoose(app, dossier);
    const written = await ipcRequest(page, 'payments.dossier', paid);
    if (!written.ok) throw new Error(inEnglish(written.error.message));
    savePicture(folder, 'dossier', dossier);

    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    await button(page, 'payment.more').click();
    await page.getByRole('menuitem', { name: word('slip.confirmation.print') }).click();
    await page.locator('body[data-printed]').waitFor();
    await printWindow(page, join(work, 'slip.pdf'));
    savePicture(folder, 'slip', join(work, 'slip.pdf'));

    await goTo(page, 'nav.overview');
    await button(page, 'nav.handover-note').click();
    await page.getByTestId('handover-note').waitFor();
    await printWindow(page, join(work, 'handover-note.pdf'));
    savePicture(folder, 'handover-note', join(work, 'handover-note.pdf'));
  } finally {
    await printer.close();
    rmSync(work, { recursive: true, force: true });
  }
};

const password = 'made up for the picture';
const provider = 'https://pay.harbour-hotel.example';
const person = { name: 'Grace Hopper', pin: '2468' };

const valueOf = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(inEnglish(result.error.message));
  return result.value;
};

type Stay = { number: string; amount: string; description: string; name: string; minutesAgo: number };

const paid: Stay = {
  number: 'R-2088',
  amount: '123.40',
  description: 'Two nights, room 12',
  name: 'Anna Nowak',
  minutesAgo: 4,
};
const open: Stay = {
  number: 'R-2091',
  amount: '289.90',
  description: 'Blue suite, deposit',
  name: 'Elif Brown',
  minutesAgo: 1,
};

/** The events of a generated payment of the wanted shape, with the details of `stay`. */
const eventsOf = (stay: Stay, profileId: string, kinds: readonly string[]): EventDraft[] => {
  const startedAt = Date.now() - stay.minutesAgo * 60_000;
  for (let index = 0; index < 200; index += 1) {
    const events = paymentEvents(index, index + 1, startedAt);
    if (events.map(({ kind }) => kind).join() !== kinds.join()) continue;
    const [first] = events;
    const details = first?.kind === 'session.requested' ? first.body : null;
    const texts: readonly (readonly [string, string])[] = [
      [first?.orderNumber ?? '', stay.number],
      [details?.amount ?? '', stay.amount],
      [details?.description ?? '', stay.description],
      [details?.customer?.name ?? '', stay.name],
      [details?.customer?.email ?? '', `${stay.name.toLowerCase().replace(' ', '.')}@example.com`],
      [details?.currency ?? '', 'EUR'],
      ['https://pay.example.com', provider],
    ];
    let text = JSON.stringify(events);
    for (const [from, to] of texts) text = text.replaceAll(`"${from}`, `"${to}`);
    const drafts = JSON.parse(text) as EventDraft[];
    return drafts.map(draft => ({
      ...draft,
      profileId,
      agent: draft.agent === 'console' ? 'console' : person.name,
    }));
  }
  throw new Error(`no generated payment has the events ${kinds.join(', ')}`);
};

const fillLog = async (userData: string, profileId: string): Promise<void> => {
  const log = valueOf(await openPaymentLog({ file: join(userData, 'payments.db'), writer: 'pictures' }));
  const append = async (events: readonly EventDraft[]): Promise<void> => {
    valueOf(await log.append([...events]));
  };
  const hour = 3_600_000;
  const midnight = new Date().setHours(0, 0, 0, 0);
  for (let index = 0; index < 240; index += 1) {
    const at = midnight - (Math.floor((239 - index) / 8) + 1) * 24 * hour + (9 + (index % 8) * 1.4) * hour;
    await append(paymentEvents(index, index + 1, at).map(event => ({ ...event, profileId })));
  }
  const requested = ['session.requested', 'session.accepted'];
  const confirmed = ['callback.received', 'callback.received', 'status.observed'];
  await append(eventsOf(paid, profileId, [...requested, ...confirmed]));
  const withLink = eventsOf(open, profileId, [...requested, ...confirmed]).slice(0, requested.length);
  await append(withLink);
  await log.close();
};

/** A callback of the hotel whose amount was re-formatted on its way. */
const rewritten = (): string => {
  const fields: CallbackFields = [
    ['id', 'db5b5fab-8f4d-4e27-9da1-494c73cf256d'],
    ['order_number', 'R-2087'],
    ['order_amount', '100.00'],
    ['order_currency', 'EUR'],
    ['order_description', 'Dinner for two'],
    ['type', 'sale'],
    ['status', 'success'],
  ];
  const signed: CallbackFields = [...fields, ['hash', hashed(signedText(fields) + password)]];
  return signed.map(([name, value]) => `${name}=${name === 'order_amount' ? '100' : value}`).join('\n');
};

const openPayment = async (page: Page, number: string): Promise<void> => {
  await page.locator('#search').fill(number);
  await page.keyboard.press('Enter');
  await page.getByRole('grid').getByText(number).first().waitFor();
  await page.getByRole('grid').press('Enter');
  await page.getByRole('region', { name: word('verdict.name') }).waitFor();
};

/** Saves the part of the page from `left`, `top` (pixels) with this size. */
const crop = async (page: Page, file: string, [x, y, width, height]: readonly number[]): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.screenshot({
    path: file,
    clip: { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 },
  });
  console.log(`  ${file}`);
};

const start = (userData: string, env: NodeJS.ProcessEnv): Promise<Application> =>
  launch({ userData, env, size: { width: 1366, height: 768 } });

/** Adds the hotel's profile and the person to an empty folder; returns the profile's id. */
const prepare = async (userData: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const app = await start(userData, env);
  try {
    const page = await app.firstWindow();
    await box(page, 'new.amount').waitFor();
    const profile = {
      ...profileDefaults,
      name: 'Harbour Hotel',
      kind: 'test' as const,
      baseUrl: provider,
      merchantKey: 'harbour-hotel-test',
      merchant: hotelMerchant(smallLogo),
      successUrl: 'https://harbour-hotel.example/thank-you',
      cancelUrl: 'https://harbour-hotel.example/cancelled',
    };
    const { id } = valueOf(
      await ipcRequest(page, 'profiles.save', { id: null, profile, password, thisRunOnly: false }),
    );
    valueOf(
      await ipcRequest(page, 'settings.change', {
        activeProfileId: id,
        lookUpAutomatically: false,
        guide: { shown: 'closed', skipped: [], checked: true },
      }),
    );
    valueOf(await ipcRequest(page, 'agents.save', { id: null, role: 'administrator', ...person }));
    return id;
  } finally {
    await app.close();
  }
};

/** Takes README's pictures into `folder`. */
export const takeReadmePictures = async (folder: string): Promise<void> => {
  const userData = mkdtempSync(join(tmpdir(), 'counterfoil-readme-'));
  const keyring = await openKeyring();
  try {
    const profileId = await prepare(userData, keyring.env);
    await fillLog(userData, profileId);
    const app = await start(userData, keyring.env);
    try {
      const page = await app.firstWindow();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.locator('.shell').waitFor();
      const { agents } = valueOf(await ipcRequest(page, 'app.read', {}));
      const id = agents.find(({ name }) => name === person.name)?.id ?? '';
      valueOf(await ipcRequest(page, 'agents.signIn', { id, pin: person.pin }));
      await openPayment(page, paid.number);
      await crop(page, join(folder, 'paid.png'), [240, 56, 1126, 400]);
      await takePaperPictures(folder, app, page, { profileId, orderNumber: paid.number });
      await openPayment(page, open.number);
      await button(page, 'link.qr').click();
      await page.getByRole('img', { name: word('link.qr.name') }).waitFor();
      await crop(page, join(folder, 'link.png'), [130, 120, 1106, 540]);
      await page.keyboard.press('Escape');
      await goTo(page, 'nav.callbacks');
      await box(page, 'callbacks.paste').fill(rewritten());
      await page.getByRole('region', { name: word('callbacks.meaning') }).waitFor();
      await crop(page, join(folder, 'callback.png'), [240, 166, 1126, 500]);
    } finally {
      await app.close();
    }
  } finally {
    await keyring.close();
    rmSync(userData, { recursive: true, force: true });
  }
};
