import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { RequestName, IpcApi, IpcEventName } from '../shared/contract/contract.ts';
import type { AppError } from '../shared/errors.ts';

// Replaced at build time with the contract's names: the preload contains no zod and no logic.
declare const REQUEST_NAMES: readonly string[];
declare const EVENT_NAMES: readonly string[];

const api: IpcApi = {
  request: (name: RequestName, input: unknown) =>
    REQUEST_NAMES.includes(name)
      ? ipcRenderer.invoke(`request:${name}`, input)
      : Promise.resolve({
          ok: false,
          error: {
            code: 'message.refused',
            message: { key: 'error.message.refused' },
            hint: { key: 'hint.message.refused' },
          } satisfies AppError,
        }),
  subscribe: (name: IpcEventName, listener: (payload: never) => void) => {
    if (!EVENT_NAMES.includes(name)) return () => undefined;
    const forward = (_event: IpcRendererEvent, payload: unknown) => listener(payload as never);
    ipcRenderer.on(`event:${name}`, forward);
    return () => ipcRenderer.removeListener(`event:${name}`, forward);
  },
};

contextBridge.exposeInMainWorld('api', api);
