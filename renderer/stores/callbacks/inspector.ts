import { create } from 'zustand';
import type { RequestOutput } from '../../../shared/contract/index.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/callbacks/inspection.ts';
import { request } from '../../ipc-client.ts';

/** The inspector: a pasted or opened text, and the result. Nothing is stored without a request. */
type InspectorState = {
  text: string;
  via: 'paste' | 'file';
  fileName: string | null;
  inspecting: boolean;
  inspection: Inspection | null;
  problem: AppError | null;
  isStoring: boolean;
  stored: RequestOutput<'callbacks.store'> | null;
  take: (text: string, via: 'paste' | 'file', fileName?: string) => void;
  store: (profileId: string) => Promise<void>;
  clear: () => void;
};

/** Debounce delay before a text is parsed, milliseconds: pasting is one change, typing is many. */
const debounceMs = 80;
let timer: number | undefined;
let latestRequest = 0;

export const useInspector = create<InspectorState>()((set, get) => ({
  text: '',
  via: 'paste',
  fileName: null,
  inspecting: false,
  inspection: null,
  problem: null,
  isStoring: false,
  stored: null,
  take: (text, via, fileName) => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    window.clearTimeout(timer);
    set({ text, via, fileName: fileName ?? null, stored: null, problem: null });
    if (text.trim() === '') {
      set({ inspection: null, inspecting: false });
      return;
    }
    set({ inspecting: true });
    const inspect = async (): Promise<void> => {
      const inspected = await request('callbacks.inspect', { text });
      if (requestNumber !== latestRequest) return;
      if (inspected.ok) set({ inspecting: false, inspection: inspected.value });
      else set({ inspecting: false, inspection: null, problem: inspected.error });
    };
    timer = window.setTimeout(() => void inspect(), debounceMs);
  },
  store: async profileId => {
    const { text, via, isStoring } = get();
    if (isStoring) return;
    set({ isStoring: true, problem: null });
    const stored = await request('callbacks.store', { text, via, profileId });
    if (stored.ok) set({ isStoring: false, stored: stored.value });
    else set({ isStoring: false, problem: stored.error });
  },
  clear: () => get().take('', 'paste'),
}));
