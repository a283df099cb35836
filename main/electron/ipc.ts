import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { CallName, Notice, NoticeName } from '../../shared/contract/index.ts';
import { fail, type Result } from '../../shared/result.ts';
import { windowOrigin } from './app-protocol.ts';

// Replaced at build time with the contract's names: the window opens before a schema is loaded.
declare const CALL_NAMES: readonly CallName[];

/** A message counts only from the top frame of our own window, showing our own page. */
const isTrusted = (event: IpcMainInvokeEvent, isOurs: (id: number) => boolean): boolean => {
  const frame = event.senderFrame;
  if (!frame || frame !== event.sender.mainFrame || !isOurs(event.sender.id)) return false;
  const url = URL.parse(frame.url);
  return url?.protocol === windowOrigin.protocol && url.host === windowOrigin.host;
};

/** Refused messages of a run that are recorded: a hostile page must not rotate the application log away. */
const maxRecorded = 100;

/** Answers a call of the contract, whose input nobody has looked at yet; see ipc-dispatcher.ts. */
type Answer = (name: CallName, input: unknown) => Promise<Result<unknown>>;

/**
 * Connects the window to the desk: one channel for every call of the contract.
 * `desk` resolves once the desk is open, with null when there is none. `isOurs` knows our window by the id of its contents; `onRefused` is
 * called with the request of another sender, the first ones of a run.
 */
export const connectBridge = ({
  desk,
  isOurs,
  onRefused,
}: {
  desk: () => Promise<{ answer: Answer } | null>;
  isOurs: (id: number) => boolean;
  onRefused: (name: CallName) => void;
}): { notify<N extends NoticeName>(contents: WebContents, name: N, notice: Notice<N>): void } => {
  let refusals = 0;
  for (const name of CALL_NAMES) {
    ipcMain.handle(`call:${name}`, async (event, input: unknown) => {
      if (!isTrusted(event, isOurs)) {
        refusals += 1;
        if (refusals <= maxRecorded) onRefused(name);
        return fail('message.refused', 'This message did not come from the console.');
      }
      const ready = await desk().catch(() => null);
      return ready ? ready.answer(name, input) : fail('internal', 'The console is not open.');
    });
  }
  return {
    notify: (contents, name, notice) => {
      if (!contents.isDestroyed()) contents.send(`notice:${name}`, notice);
    },
  };
};
