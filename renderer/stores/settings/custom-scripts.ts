import { create } from 'zustand';
import type { DeskError } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/settings/language.ts';
import { readSentence, type OwnSentences } from '../../../shared/settings/custom-scripts.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { useDesk } from '../app-state.ts';

/** Which sentence: what is said of a state, in a language. */
export type SentencePlace = { language: Language; state: PaymentState };

const none: OwnSentences = { en: {}, de: {} };
const present = (): OwnSentences => useDesk.getState().desk?.settings.sentences ?? none;

/** `sentences` with another text in one place, or with none there. */
const changed = (
  sentences: OwnSentences,
  { language, state }: SentencePlace,
  text: string | undefined,
): OwnSentences => {
  const { [state]: _, ...rest } = sentences[language];
  return { ...sentences, [language]: text === undefined ? rest : { ...rest, [state]: text } };
};

export const isPlace = (one: SentencePlace | null, { language, state }: SentencePlace): boolean =>
  one?.language === language && one.state === state;

/** What is done with the merchant's own sentences; the sentences themselves are a setting. */
type OwnSentencesState = {
  /** What is typed and not kept. */
  drafts: OwnSentences;
  /** What gave way to our sentence last, while it can be brought back. */
  removed: (SentencePlace & { kept: string | undefined; draft: string | undefined }) | null;
  problem: (SentencePlace & { error: DeskError }) | null;
  type: (place: SentencePlace, text: string) => void;
  /** Keeps what is typed, if it can be said. Nothing, or `ours` word by word, is our sentence again. */
  keep: (place: SentencePlace, ours: string) => Promise<void>;
  giveBack: (place: SentencePlace) => Promise<void>;
  undo: () => Promise<void>;
};

export const useOwnSentences = create<OwnSentencesState>()((set, get) => {
  const put = async (place: SentencePlace, text: string | undefined): Promise<boolean> => {
    const kept = await useDesk.getState().change({ sentences: changed(present(), place, text) });
    set({ problem: kept.ok ? null : { ...place, error: kept.error } });
    return kept.ok;
  };
  const draft = (place: SentencePlace, text: string | undefined): void =>
    set(({ drafts }) => ({ drafts: changed(drafts, place, text) }));
  return {
    drafts: none,
    removed: null,
    problem: null,
    type: (place, text) => {
      draft(place, text === (present()[place.language][place.state] ?? '') ? undefined : text);
      if (isPlace(get().removed, place)) set({ removed: null });
    },
    keep: async (place, ours) => {
      const text = get().drafts[place.language][place.state]?.trim();
      if (text === undefined) return;
      if (text === '' || text === ours) await get().giveBack(place);
      else if (readSentence(text, place.state).ok && (await put(place, text))) draft(place, undefined);
    },
    giveBack: async place => {
      const kept = present()[place.language][place.state];
      const typed = get().drafts[place.language][place.state];
      if (kept !== undefined && !(await put(place, undefined))) return;
      draft(place, undefined);
      set({ removed: { ...place, kept, draft: typed || undefined } });
    },
    undo: async () => {
      const { removed } = get();
      if (!removed || (removed.kept !== undefined && !(await put(removed, removed.kept)))) return;
      draft(removed, removed.draft);
      set({ removed: null });
    },
  };
});
