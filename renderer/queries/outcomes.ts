import { useEffect } from 'react';
import { create } from 'zustand';
import { placeOfOutcome } from '../../shared/alerts/alert.ts';
import { paymentKey } from '../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { paidStates } from '../../shared/payments/outcomes.ts';
import { isTyping } from '../shortcuts.ts';
import { useOpenLinks } from './open-link-cards.ts';
import { useActiveProfileId, useAppState } from '../stores/app-state-store.ts';
import { useRoute } from '../stores/route-store.ts';

/** Two short tones: rising for a paid payment, falling for a declined one. Nothing is loaded for it. */
const playOutcome = (isPaid: boolean): void => {
  const context = new AudioContext();
  const tones = isPaid ? [660, 880] : [440, 330];
  const lengthS = 0.16;
  for (const [index, frequency] of tones.entries()) {
    const from = context.currentTime + index * lengthS;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + lengthS);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + lengthS);
    if (index === tones.length - 1) tone.addEventListener('ended', () => void context.close());
  }
};

/** What is announced: the payer has paid, once or twice, or the bank has declined. */
type Outcome = 'paid' | 'twice' | 'declined';

const outcomeOf = ({ state, flags }: PaymentRow): Outcome | null => {
  if (flags.some(({ kind }) => kind === 'settled-twice')) return 'twice';
  return paidStates.includes(state) ? 'paid' : state === 'declined' ? 'declined' : null;
};

/** Payments that have just turned paid or declined, newest first, for the messages over the screens. */
type OutcomesState = {
  shown: readonly PaymentRow[];
  dismiss: (payment: PaymentRow) => void;
};

export const useOutcomes = create<OutcomesState>()((set, get) => ({
  shown: [],
  dismiss: payment => set({ shown: get().shown.filter(row => paymentKey(row) !== paymentKey(payment)) }),
}));

/** Whether the signed-in person chose to see this outcome. */
const isWanted = (row: PaymentRow): boolean => {
  const { appState } = useAppState.getState();
  if (appState === null) return false;
  const name = appState.agents.find(({ id }) => id === appState.agentId)?.name ?? '';
  const kind = outcomeOf(row) === 'declined' ? 'declined' : 'paid';
  return placeOfOutcome(kind, row.agent, name, appState.alertChoices) !== 'off';
};

/** Limit of messages at once; the oldest ones are removed. */
const maxShown = 3;

/** Whether the verdict of this payment is in view already: its page is open, and no text keeps it from scrolling. */
const isInView = (row: PaymentRow): boolean => {
  const { route } = useRoute.getState();
  return (
    route.screen === 'payment' &&
    route.profileId === row.profileId &&
    route.orderNumber === row.orderNumber &&
    !isTyping(document.activeElement)
  );
};

/** What the cards said when they were last shown, of one profile. A confirmation says the same again. */
let known = { profileId: '', outcomes: new Map<string, Outcome | null>() };

/** Announces the outcomes among the cards of a profile since they were last shown. */
const announce = (profileId: string, cards: readonly PaymentRow[]): void => {
  const before = known.profileId === profileId ? known.outcomes : new Map<string, Outcome | null>();
  const announced = cards.filter(row => {
    const [was, is] = [before.get(paymentKey(row)), outcomeOf(row)];
    return was !== undefined && was !== 'twice' && is !== null && is !== was && isWanted(row);
  });
  known = {
    profileId,
    outcomes: new Map([...before, ...cards.map(row => [paymentKey(row), outcomeOf(row)] as const)]),
  };
  const current = new Map(cards.map(row => [paymentKey(row), row]));
  const earlier = useOutcomes.getState().shown.map(row => current.get(paymentKey(row)) ?? row);
  const [newest] = announced;
  if (newest && useAppState.getState().appState?.settings.outcomeSound)
    playOutcome(outcomeOf(newest) === 'paid');
  const keys = new Set(announced.map(paymentKey));
  const shown = [
    ...announced.filter(row => !isInView(row)),
    ...earlier.filter(row => !keys.has(paymentKey(row))),
  ];
  useOutcomes.setState({ shown: newest ? shown.slice(0, maxShown) : earlier });
};

/** The announced outcomes of open links. A message ends when the page of its payment opens. */
export const useAnnouncedOutcomes = (): readonly PaymentRow[] => {
  const profileId = useActiveProfileId();
  const { cards } = useOpenLinks();
  useEffect(() => {
    if (profileId !== null) announce(profileId, cards);
  }, [profileId, cards]);
  useEffect(
    () =>
      useRoute.subscribe(() => {
        const { shown } = useOutcomes.getState();
        if (shown.some(isInView)) useOutcomes.setState({ shown: shown.filter(row => !isInView(row)) });
      }),
    [],
  );
  return useOutcomes(state => state.shown);
};
