import { create } from 'zustand';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
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
  /** Whether the text has several callbacks, which main reads like a file. */
  isFileOpen: boolean;
  take: (text: string, via: 'paste' | 'file', fileName?: string) => void;
  store: (profileId: string) => Promise<void>;
  /** Takes a callback that verifies, or one that does not. */
  trySample: (isValid: boolean) => Promise<void>;
  clear: () => void;
};

/** Debounce delay before a text is parsed: pasting is one change, typing is many. */
const debounceMs = 80;
let timer: number | undefined;
let latestRequest = 0;

const closeFile = async (): Promise<void> => {
  if (!useInspector.getState().isFileOpen) return;
  useInspector.setState({ isFileOpen: false });
  await request('callbacks.closeFile', {});
};

export const useInspector = create<InspectorState>()((set, get) => ({
  text: '',
  via: 'paste',
  fileName: null,
  inspecting: false,
  inspection: null,
  problem: null,
  isStoring: false,
  stored: null,
  isFileOpen: false,
  take: (text, via, fileName) => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    window.clearTimeout(timer);
    set({ text, via, fileName: fileName ?? null, stored: null, problem: null });
    if (text.trim() === '') {
      set({ inspection: null, inspecting: false });
      void closeFile();
      return;
    }
    set({ inspecting: true });
    const inspect = async (): Promise<void> => {
      const inspected = await request('callbacks.inspect', { text });
      if (requestNumber !== latestRequest) return;
      if (inspected.ok) {
        // Several callbacks are summed up like a file.
        const isFile = inspected.value.found > 1;
        set({ inspecting: false, inspection: isFile ? null : inspected.value });
        if (isFile) {
          const read = await request('callbacks.dropFile', { name: fileName ?? '', text, via });
          set({ isFileOpen: true, problem: read.ok ? null : read.error });
        } else await closeFile();
      } else set({ inspecting: false, inspection: null, problem: inspected.error });
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
  trySample: async isValid => {
    const sample = await request('callbacks.sample', { isValid });
    if (sample.ok) get().take(sample.value.text, 'paste');
    else set({ problem: sample.error });
  },
  clear: () => get().take('', 'paste'),
}));
