import { guideSteps, type Guide, type GuideStep } from '../../shared/settings/guide.ts';
import { ok } from '../../shared/errors.ts';
import { countIn, paidStates } from '../../shared/payments/outcomes.ts';
import { endsWithLink, stateAt } from '../../shared/payment-reducer/state-at.ts';
import { amountText } from '../../shared/money/format-amount.ts';
import { request } from '../ipc-client.ts';
import { isUntouched } from '../guide-steps.ts';
import { createQuery } from './create-query.ts';
import { useAppState } from '../stores/app-state-store.ts';
import { useNewPayment } from '../stores/new-payment/new-payment-store.ts';
import { go } from '../stores/route-store.ts';
import { currentTime } from '../i18n/time-left.ts';

/** The guided start: main stores its progress, the facts come from the payment log. */

const guideOf = (): Guide | null => useAppState.getState().appState?.settings.guide ?? null;

const change = (changes: Partial<Guide>): void => {
  const guide = guideOf();
  if (guide) void useAppState.getState().change({ guide: { ...guide, ...changes } });
};

export const openGuide = (): void => change({ shown: 'open', skipped: [] });
export const closeGuide = (): void => change({ shown: 'closed' });
export const skipStep = (step: GuideStep): void =>
  change({ skipped: guideSteps.filter(one => one === step || guideOf()?.skipped.includes(one)) });
/** Key and password of the merchant's own account are proven. */
export const passCheck = (): void => {
  if (guideOf()?.checked === false) change({ checked: true });
};

/** Whether the gateway of an own account accepted a request, or its password verified a callback. */
const isAnyProven = async (): Promise<boolean> => {
  const profiles = useAppState.getState().appState?.profiles ?? [];
  for (const { id, kind } of profiles) {
    if (kind === 'sandbox') continue;
    const health = await request('profiles.health', { id });
    if (health.ok && (health.value.lastSuccess ?? health.value.verifiedAt) !== null) return true;
  }
  return false;
};

/** Of the sandbox: whether a payment is paid, whether one waits, and the order number of the newest one. */
export const guideQuery = createQuery({
  read: async ({ profileId }: { profileId: string }) => {
    const counts = await request('payments.counts', { profileId });
    const page = await request('payments.list', { filter: { profileId }, limit: 1 });
    if (!counts.ok) return counts;
    if (!page.ok) return page;
    if (guideOf()?.checked === false && (await isAnyProven())) passCheck();
    const [row] = page.value.rows;
    return ok({
      paid: countIn(counts.value, paidStates) > 0,
      waiting: row !== undefined && endsWithLink(stateAt(row, currentTime())),
      latest: row?.orderNumber ?? null,
    });
  },
  on: ['payments.changed', 'app.changed'],
  throttleMs: 200,
});

/** Fills the form with an example, in the sandbox. */
export const fillExample = async (profileId: string, description: string, locale: string): Promise<void> => {
  await useAppState.getState().change({ activeProfileId: profileId });
  useNewPayment.getState().openDraft({ amount: amountText('12.50', locale), description });
  go({ screen: 'new' });
};

export const openPaymentPage = async (profileId: string, orderNumber: string): Promise<void> => {
  go({ screen: 'payment', profileId, orderNumber });
  await request('payments.shareLink', { profileId, orderNumber, channel: 'opened' });
};

/** Opens the guide at the start if nothing has been recorded. */
export const followGuide = (): void => {
  useAppState.subscribe(({ appState: app }, before) => {
    if (app === null || before.appState !== null) return;
    const untouched = isUntouched({ profiles: app.profiles, payments: app.log.payments });
    if (app.settings.guide.shown === 'new' && app.log.problem === null && untouched) openGuide();
  });
};
