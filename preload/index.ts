import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { CallName, DeskApi, NoticeName } from '../shared/contract/index.ts';

// Replaced at build time with the contract's names: the preload carries no zod and no logic.
declare const CALL_NAMES: readonly string[];
declare const NOTICE_NAMES: readonly string[];

const api: DeskApi = {
  call: (name: CallName, input: unknown) =>
    CALL_NAMES.includes(name)
      ? ipcRenderer.invoke(`call:${name}`, input)
      : Promise.resolve({
          ok: false,
          error: { code: 'message.refused', message: 'The console has no such call.' },
        }),
  subscribe: (name: NoticeName, listener: (notice: never) => void) => {
    if (!NOTICE_NAMES.includes(name)) return () => undefined;
    const forward = (_event: IpcRendererEvent, notice: unknown) => listener(notice as never);
    ipcRenderer.on(`notice:${name}`, forward);
    return () => ipcRenderer.removeListener(`notice:${name}`, forward);
  },
};

contextBridge.exposeInMainWorld('desk', api);
