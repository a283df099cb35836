import { create } from 'zustand';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/callbacks/inspection.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { decodeBytes, maxFileBytes, pastedBytes } from '../../../shared/callbacks/callback-file.ts';
import type { FileInspection, FileRow, FileShow } from '../../../shared/callbacks/file-inspection.ts';
import { msg } from '../../../shared/messages/message.ts';

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

/** Page size of the list, rows. */
export const fileRows = 25;

/** The open long file of callbacks: main reads it, the renderer loads parts. */
type CallbackFileState = {
  file: FileInspection | null;
  problem: AppError | null;
  show: FileShow;
  from: number;
  rows: readonly FileRow[];
  total: number;
  /** The callback selected in the list. */
  chosen: { index: number; inspection: Inspection } | null;
  open: () => Promise<void>;
  /** Handles a dropped file: a short one like a pasted text, a long one like an opened file. */
  drop: (file: File) => Promise<void>;
  close: () => Promise<void>;
  store: (profileId: string) => Promise<void>;
  list: (show: FileShow, from: number) => Promise<void>;
  choose: (index: number) => Promise<void>;
};

const tooLarge: AppError = {
  code: 'callback.too-large',
  message: msg('file.too-large', { size: maxFileBytes / 1024 / 1024 }),
  hint: msg('file.too-large.hint'),
};
const unreadable: AppError = { code: 'callback.unreadable', message: msg('file.unreadable') };

const nothingShown = { rows: [], total: 0, from: 0, show: 'all', chosen: null } as const;

export const useCallbackFile = create<CallbackFileState>()((set, get) => ({
  file: null,
  problem: null,
  ...nothingShown,
  open: async () => {
    set({ problem: null });
    const opened = await request('callbacks.openFile', {});
    if (!opened.ok) return set({ problem: opened.error });
    const { opened: file } = opened.value;
    if (file === null) return;
    const inspector = useInspector.getState();
    if (file.text === null) inspector.clear();
    else inspector.take(file.text, 'file', file.name);
  },
  drop: async file => {
    set({ problem: null });
    const { name, size } = file;
    const inspector = useInspector.getState();
    if (size > maxFileBytes) return set({ problem: tooLarge });
    // It may have been changed or removed after the drop.
    const bytes = await file.arrayBuffer().catch(() => null);
    if (bytes === null) return set({ problem: unreadable });
    const { text } = decodeBytes(new Uint8Array(bytes));
    if (size <= pastedBytes) {
      await get().close();
      return inspector.take(text, 'file', name);
    }
    inspector.clear();
    const read = await request('callbacks.dropFile', { name: name.slice(-255), text });
    set({ problem: read.ok ? null : read.error });
  },
  close: async () => {
    await request('callbacks.closeFile', {});
    set({ file: null, problem: null });
  },
  store: async profileId => {
    const stored = await request('callbacks.storeFile', { profileId });
    set({ problem: stored.ok ? null : stored.error });
  },
  list: async (show, from) => {
    set({ show, from });
    const read = await request('callbacks.fileRows', { show, from, limit: fileRows });
    if (read.ok && get().show === show && get().from === from)
      set({ rows: read.value.rows, total: read.value.total });
  },
  choose: async index => {
    const one = await request('callbacks.fileInspection', { index });
    if (one.ok) set({ chosen: { index, inspection: one.value }, problem: null });
    else set({ problem: one.error });
  },
}));

const take = (file: FileInspection | null): void => {
  const before = useCallbackFile.getState().file;
  const begins = file?.phase === 'reading' && before?.phase !== 'reading';
  useCallbackFile.setState({ file, ...(file === null || begins ? nothingShown : {}) });
  if (file?.phase === 'done' && before?.phase !== 'done')
    void useCallbackFile.getState().list(useCallbackFile.getState().show, 0);
};

/** Tracks the open file for the lifetime of the window; the list is read once the complete file is. */
export const followCallbackFile = (): void => {
  subscribe('callbacks.file', ({ file }) => take(file));
};

/** Reads which file is open, unless known. */
export const readCallbackFile = async (): Promise<void> => {
  const read = await request('callbacks.file', {});
  if (read.ok && useCallbackFile.getState().file === null) take(read.value.file);
};
