import { create } from 'zustand';
import type { DeskError } from '../../shared/errors.ts';
import type { FileInspection, FileRow, FileShow } from '../../shared/file-inspection.ts';
import type { Inspection } from '../../shared/inspection.ts';
import { call, subscribe } from '../desk.ts';
import { useInspector } from './inspector.ts';

/** Rows of the list shown at once. */
export const fileRows = 25;

/** The long file of callbacks that is open: read by main, shown here in pieces. */
type CallbackFileState = {
  file: FileInspection | null;
  /** A dropped file was too large for this way. */
  tooLarge: boolean;
  problem: DeskError | null;
  show: FileShow;
  from: number;
  rows: readonly FileRow[];
  total: number;
  /** The one that was chosen from the list. */
  chosen: { index: number; inspection: Inspection } | null;
  open: () => Promise<void>;
  close: () => Promise<void>;
  keep: (profileId: string) => Promise<void>;
  list: (show: FileShow, from: number) => Promise<void>;
  choose: (index: number) => Promise<void>;
};

const nothingShown = { rows: [], total: 0, from: 0, show: 'all', chosen: null } as const;

export const useCallbackFile = create<CallbackFileState>()((set, get) => ({
  file: null,
  tooLarge: false,
  problem: null,
  ...nothingShown,
  open: async () => {
    set({ problem: null, tooLarge: false });
    const opened = await call('callbacks.openFile', {});
    if (!opened.ok) return set({ problem: opened.error });
    const { opened: file } = opened.value;
    if (file === null) return;
    const inspector = useInspector.getState();
    if (file.text === null) inspector.clear();
    else inspector.take(file.text, 'file', file.name);
  },
  close: async () => {
    await call('callbacks.closeFile', {});
    set({ file: null, problem: null });
  },
  keep: async profileId => {
    const kept = await call('callbacks.keepFile', { profileId });
    set({ problem: kept.ok ? null : kept.error });
  },
  list: async (show, from) => {
    set({ show, from });
    const read = await call('callbacks.fileRows', { show, from, limit: fileRows });
    if (read.ok && get().show === show && get().from === from)
      set({ rows: read.value.rows, total: read.value.total });
  },
  choose: async index => {
    const one = await call('callbacks.fileOne', { index });
    if (one.ok) set({ chosen: { index, inspection: one.value }, problem: null });
    else set({ problem: one.error });
  },
}));

/** Hears of the file for the window's life; the list is read when it has been read whole. */
export const followCallbackFile = (): void => {
  const take = (file: FileInspection | null): void => {
    const before = useCallbackFile.getState().file;
    const begins = file?.phase === 'reading' && before?.phase !== 'reading';
    useCallbackFile.setState({ file, ...(file === null || begins ? nothingShown : {}) });
    if (file?.phase === 'done' && before?.phase !== 'done')
      void useCallbackFile.getState().list(useCallbackFile.getState().show, 0);
  };
  subscribe('callbacks.file', ({ file }) => take(file));
  void call('callbacks.file', {}).then(read => {
    if (read.ok && useCallbackFile.getState().file === null) take(read.value.file);
  });
};
