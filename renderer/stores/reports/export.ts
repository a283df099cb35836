import { create } from 'zustand';
import type { RequestInput } from '../../../shared/contract/index.ts';
import type { AppError } from '../../../shared/errors.ts';
import { request, subscribe } from '../../ipc-client.ts';

type Export = Omit<RequestInput<'payments.export'>, 'requestId'>;

/** The export under way, or how the last one ended; one at a time. */
type ExportState = {
  /** Names the one under way; null when none is. */
  requestId: string | null;
  /** How far it is; null until it has taken so long that it is worth a word. */
  progress: { written: number; total: number | null } | null;
  result:
    | { kind: 'written'; count: number; signed: boolean; file: string }
    | { kind: 'stopped' }
    | { kind: 'failed'; error: AppError }
    | null;
  start: (what: Export) => Promise<void>;
  /** Stops it; no file is left behind. */
  stop: () => void;
  /** Shows the written file in its folder. */
  showFile: () => void;
  dismiss: () => void;
};

export const useExport = create<ExportState>()((set, get) => ({
  requestId: null,
  progress: null,
  result: null,
  start: async what => {
    if (get().requestId !== null) return;
    const requestId = crypto.randomUUID();
    set({ requestId, progress: null, result: null });
    const written = await request('payments.export', { ...what, requestId });
    set({ requestId: null });
    if (!written.ok) {
      const { error } = written;
      set({ result: error.code === 'gateway.cancelled' ? { kind: 'stopped' } : { kind: 'failed', error } });
    } else if (written.value.file !== null) {
      const { file, written: count, signed } = written.value;
      set({ result: { kind: 'written', count, signed, file } });
    }
  },
  stop: () => {
    const { requestId } = get();
    if (requestId !== null) void request('payments.cancelWait', { requestId });
  },
  showFile: () => void request('payments.showExport', {}),
  dismiss: () => set({ progress: null, result: null }),
}));

/** Hears how far the export is, for the window's life. */
export const followExport = (): void => {
  subscribe('export.progress', ({ requestId, written, total }) => {
    if (useExport.getState().requestId === requestId) useExport.setState({ progress: { written, total } });
  });
};
