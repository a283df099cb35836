import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/messages/message.ts';
import { parseScript, type CustomScripts } from '../../../shared/merchant-texts/custom-scripts.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { useAppState } from '../app-state-store.ts';

/** Identifies a script: a state and a language. */
export type ScriptSlot = { language: Language; state: PaymentState };

const none: CustomScripts = { en: {}, de: {} };
const present = (): CustomScripts => useAppState.getState().appState?.settings.sentences ?? none;

/** `sentences` with one script changed or removed. */
const changed = (
  sentences: CustomScripts,
  { language, state }: ScriptSlot,
  text: string | undefined,
): CustomScripts => {
  const { [state]: _, ...rest } = sentences[language];
  return { ...sentences, [language]: text === undefined ? rest : { ...rest, [state]: text } };
};

export const isSlot = (one: ScriptSlot | null, { language, state }: ScriptSlot): boolean =>
  one?.language === language && one.state === state;

/** Actions on the merchant's scripts; the scripts themselves are a setting. */
type CustomScriptsState = {
  /** Typed texts that are not saved. */
  drafts: CustomScripts;
  /** The script last replaced by ours, while it can be restored. */
  removed: (ScriptSlot & { stored: string | undefined; draft: string | undefined }) | null;
  problem: (ScriptSlot & { error: AppError }) | null;
  type: (slot: ScriptSlot, text: string) => void;
  /** Saves the typed script if it is valid. An empty one, or one equal to `ours`, restores ours. */
  save: (slot: ScriptSlot, ours: string) => Promise<void>;
  restoreDefault: (slot: ScriptSlot) => Promise<void>;
  undo: () => Promise<void>;
};

export const useCustomScripts = create<CustomScriptsState>()((set, get) => {
  const show = async (slot: ScriptSlot, text: string | undefined): Promise<boolean> => {
    const stored = await useAppState.getState().change({ sentences: changed(present(), slot, text) });
    set({ problem: stored.ok ? null : { ...slot, error: stored.error } });
    return stored.ok;
  };
  const draft = (slot: ScriptSlot, text: string | undefined): void =>
    set(({ drafts }) => ({ drafts: changed(drafts, slot, text) }));
  return {
    drafts: none,
    removed: null,
    problem: null,
    type: (slot, text) => {
      draft(slot, text === (present()[slot.language][slot.state] ?? '') ? undefined : text);
      if (isSlot(get().removed, slot)) set({ removed: null });
    },
    save: async (slot, ours) => {
      const text = get().drafts[slot.language][slot.state]?.trim();
      if (text === undefined) return;
      if (text === '' || text === ours) await get().restoreDefault(slot);
      else if (parseScript(text, slot.state).ok && (await show(slot, text))) draft(slot, undefined);
    },
    restoreDefault: async slot => {
      const stored = present()[slot.language][slot.state];
      const typed = get().drafts[slot.language][slot.state];
      if (stored !== undefined && !(await show(slot, undefined))) return;
      draft(slot, undefined);
      set({ removed: { ...slot, stored, draft: typed || undefined } });
    },
    undo: async () => {
      const { removed } = get();
      if (!removed || (removed.stored !== undefined && !(await show(removed, removed.stored)))) return;
      draft(removed, removed.draft);
      set({ removed: null });
    },
  };
});
