import { create } from 'zustand';
import type { CallInput } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import { call, subscribe } from '../../ipc-client.ts';

type Export = Omit<CallInput<'payments.export'>, 'request'>;

/** The export under way, or how the last one ended; one at a time. */
type ExportState = {
  /** Names the one under way; null when none is. */
  request: string | null;
  /** How far it is; null until it has taken so long that it is worth a word. */
  progress: { written: number; total: number | null } | null;
  result:
    | { kind: 'written'; count: number; signed: boolean; file: string }
    | { kind: 'stopped' }
    | { kind: 'failed'; error: DeskError }
    | null;
  start: (what: Export) => Promise<void>;
  /** Stops it; no file is left behind. */
  stop: () => void;
  /** Shows the written file in its folder. */
  showFile: () => void;
  forget: () => void;
};

export const useExport = create<ExportState>()((set, get) => ({
  request: null,
  progress: null,
  result: null,
  start: async what => {
    if (get().request !== null) return;
    const request = crypto.randomUUID();
    set({ request, progress: null, result: null });
    const written = await call('payments.export', { ...what, request });
    set({ request: null });
    if (!written.ok) {
      const { error } = written;
      set({ result: error.code === 'gateway.cancelled' ? { kind: 'stopped' } : { kind: 'failed', error } });
    } else if (written.value.file !== null) {
      const { file, written: count, signed } = written.value;
      set({ result: { kind: 'written', count, signed, file } });
    }
  },
  stop: () => {
    const { request } = get();
    if (request !== null) void call('payments.stopWaiting', { request });
  },
  showFile: () => void call('payments.showExport', {}),
  forget: () => set({ progress: null, result: null }),
}));

/** Hears how far the export is, for the window's life. */
export const followExport = (): void => {
  subscribe('export.progress', ({ request, written, total }) => {
    if (useExport.getState().request === request) useExport.setState({ progress: { written, total } });
  });
};
