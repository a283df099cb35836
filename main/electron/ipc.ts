import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { RequestName, IpcEvent, IpcEventName } from '../../shared/contract/contract.ts';
import { fail, type Result } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { windowOrigin } from './app-protocol.ts';

// Replaced at build time with the contract's names: the window opens before a schema is loaded.
declare const REQUEST_NAMES: readonly RequestName[];

/** A message counts only from the top frame of our own window, showing our own page. */
const isTrusted = (event: IpcMainInvokeEvent, isOwnWindow: (id: number) => boolean): boolean => {
  const frame = event.senderFrame;
  if (!frame || frame !== event.sender.mainFrame || !isOwnWindow(event.sender.id)) return false;
  const url = URL.parse(frame.url);
  return url?.protocol === windowOrigin.protocol && url.host === windowOrigin.host;
};

/** Limit of recorded refused messages per run: a hostile page must not rotate the application log away. */
const maxRecorded = 100;

/** Answers a request of the contract with unvalidated input; see ipc-dispatcher.ts. */
type Answer = (name: RequestName, input: unknown) => Promise<Result<unknown>>;

/**
 * Connects the window to the application layer: one channel for every request of the contract. `application` resolves once
 * the application is open, or to null. `isOwnWindow` recognises our window by the id of its contents; `onRefused` is
 * called with requests of other senders, the first ones of a run.
 */
export const connectBridge = ({
  application: app,
  isOwnWindow,
  onRefused,
}: {
  application: () => Promise<{ answer: Answer } | null>;
  isOwnWindow: (id: number) => boolean;
  onRefused: (name: RequestName) => void;
}): { notify<N extends IpcEventName>(contents: WebContents, name: N, payload: IpcEvent<N>): void } => {
  let refusals = 0;
  for (const name of REQUEST_NAMES)
    ipcMain.handle(`request:${name}`, async (event, input: unknown) => {
      if (!isTrusted(event, isOwnWindow)) {
        refusals += 1;
        if (refusals <= maxRecorded) onRefused(name);
        return fail('message.refused', msg('window.blocked'));
      }
      const ready = await app().catch(() => null);
      return ready ? ready.answer(name, input) : fail('internal', msg('window.not-open'));
    });
  return {
    notify: (contents, name, payload) => {
      if (!contents.isDestroyed()) contents.send(`event:${name}`, payload);
    },
  };
};
