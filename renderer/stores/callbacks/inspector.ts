import { create } from 'zustand';
import type { CallOutput } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/callbacks/inspection.ts';
import { call } from '../../ipc-client.ts';

/** The inspector: a pasted or opened text, and what it turned out to be. Nothing is kept until asked. */
type InspectorState = {
  text: string;
  via: 'paste' | 'file';
  fileName: string | null;
  inspecting: boolean;
  inspection: Inspection | null;
  problem: DeskError | null;
  keeping: boolean;
  kept: CallOutput<'callbacks.keep'> | null;
  take: (text: string, via: 'paste' | 'file', fileName?: string) => void;
  keep: (profileId: string) => Promise<void>;
  clear: () => void;
};

/** Milliseconds of stillness before a text is read: pasting is one change, typing is many. */
const stillness = 80;
let timer: number | undefined;
let turn = 0;

export const useInspector = create<InspectorState>()((set, get) => ({
  text: '',
  via: 'paste',
  fileName: null,
  inspecting: false,
  inspection: null,
  problem: null,
  keeping: false,
  kept: null,
  take: (text, via, fileName) => {
    turn += 1;
    const mine = turn;
    window.clearTimeout(timer);
    set({ text, via, fileName: fileName ?? null, kept: null, problem: null });
    if (text.trim() === '') {
      set({ inspection: null, inspecting: false });
      return;
    }
    set({ inspecting: true });
    const inspect = async (): Promise<void> => {
      const inspected = await call('callbacks.inspect', { text });
      if (mine !== turn) return;
      if (inspected.ok) set({ inspecting: false, inspection: inspected.value });
      else set({ inspecting: false, inspection: null, problem: inspected.error });
    };
    timer = window.setTimeout(() => void inspect(), stillness);
  },
  keep: async profileId => {
    const { text, via, keeping } = get();
    if (keeping) return;
    set({ keeping: true, problem: null });
    const kept = await call('callbacks.keep', { text, via, profileId });
    if (kept.ok) set({ keeping: false, kept: kept.value });
    else set({ keeping: false, problem: kept.error });
  },
  clear: () => get().take('', 'paste'),
}));
