import { create } from 'zustand';
import { guideSteps, type Guide, type GuideStep } from '../../../shared/settings/guide.ts';
import { paidStates } from '../../../shared/payments/outcomes.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { amountText } from '../../../shared/money/format-amount.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { isUntouched } from '../../guide-steps.ts';
import { useAppState } from '../app-state-store.ts';
import { sumOf } from '../payments/filters.ts';
import { useNewPayment } from '../new-payment/new-payment-store.ts';
import { go } from '../route-store.ts';
import { currentTime } from '../../i18n/time-left.ts';

/** The guided start: main stores its progress, the facts come from the payment log. */
type GuideState = {
  sandbox: { paid: boolean; waiting: boolean } | null;
  /** The newest payment of the sandbox. */
  latest: string | null;
  read: () => Promise<void>;
  open: () => void;
  close: () => void;
  skip: (step: GuideStep) => void;
  /** Key and password of the merchant's own account are proven. */
  check: () => void;
  /** Fills the form with an example, in the sandbox. */
  fillExample: (description: string, locale: string) => Promise<void>;
  openPaymentPage: () => Promise<void>;
};

const guideOf = (): Guide | null => useAppState.getState().appState?.settings.guide ?? null;
const sandboxProfile = () =>
  useAppState.getState().appState?.profiles.find(({ kind }) => kind === 'sandbox') ?? null;
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

const change = (changes: Partial<Guide>): void => {
  const guide = guideOf();
  if (guide) void useAppState.getState().change({ guide: { ...guide, ...changes } });
};

export const useGuide = create<GuideState>()((set, get) => ({
  sandbox: null,
  latest: null,
  read: async () => {
    const profileId = sandboxProfile()?.id;
    if (profileId === undefined || guideOf()?.shown !== 'open') return;
    const counts = await request('payments.counts', { profileId });
    const page = await request('payments.list', { filter: { profileId }, limit: 1 });
    if (!counts.ok || !page.ok) return;
    const row = page.value.rows[0];
    const state = row && stateAt(row, currentTime());
    set({
      sandbox: {
        paid: sumOf(counts.value.states, paidStates) > 0,
        waiting: state === 'waiting' || state === 'started' || state === 'bank-check',
      },
      latest: row?.orderNumber ?? null,
    });
    if (guideOf()?.checked === false && (await isAnyProven())) get().check();
  },
  open: () => change({ shown: 'open', skipped: [] }),
  close: () => change({ shown: 'closed' }),
  skip: step =>
    change({ skipped: guideSteps.filter(one => one === step || guideOf()?.skipped.includes(one)) }),
  check: () => {
    if (guideOf()?.checked === false) change({ checked: true });
  },
  fillExample: async (description, locale) => {
    const profile = sandboxProfile();
    if (!profile) return;
    await useAppState.getState().change({ activeProfileId: profile.id });
    useNewPayment.getState().openDraft({ amount: amountText('12.50', locale), description });
    go({ screen: 'new' });
  },
  openPaymentPage: async () => {
    const { latest } = get();
    const profileId = sandboxProfile()?.id;
    if (latest === null || profileId === undefined) return;
    go({ screen: 'payment', profileId, orderNumber: latest });
    await request('payments.shareLink', { profileId, orderNumber: latest, channel: 'opened' });
  },
}));

/** Keeps the guide's facts current while it is open, and opens it if nothing has been recorded. */
export const followGuide = (): void => {
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      void useGuide.getState().read();
    }, 200);
  };
  subscribe('payments.changed', soon);
  useAppState.subscribe(({ appState: app }, before) => {
    if (app === null) return;
    const isFirst = before.appState === null;
    const untouched = isUntouched({ profiles: app.profiles, payments: app.log.payments });
    if (isFirst && app.settings.guide.shown === 'new' && app.log.problem === null && untouched)
      useGuide.getState().open();
    if (app.settings.guide.shown === 'open') soon();
  });
};
