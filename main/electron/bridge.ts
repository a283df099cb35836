import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type * as z from 'zod';
import {
  callNames,
  calls,
  type CallName,
  type Handlers,
  type Notice,
  type NoticeName,
} from '../../shared/contract.ts';
import { fail, type DeskError, type Result } from '../../shared/errors.ts';
import { LogFailure } from '../log/open-payment-log.ts';
import { windowOrigin } from './scheme.ts';

/** A message counts only from the top frame of our own window, showing our own page. */
const isTrusted = (event: IpcMainInvokeEvent, isOurs: (id: number) => boolean): boolean => {
  const frame = event.senderFrame;
  if (!frame || frame !== event.sender.mainFrame || !isOurs(event.sender.id)) return false;
  const url = URL.parse(frame.url);
  return url?.protocol === windowOrigin.protocol && url.host === windowOrigin.host;
};

const refusal = (error: z.ZodError): { ok: false; error: DeskError } =>
  fail('input.invalid', 'The console was asked something it does not understand.', {
    fields: error.issues.slice(0, 20).map(issue => ({ path: issue.path.join('.'), message: issue.message })),
  });

/** One call, its input validated before the handler sees it. A handler that throws is our fault: its message may hold anything, so it is not passed on. */
const answer = async (name: CallName, handlers: Handlers, input: unknown): Promise<Result<unknown>> => {
  const parsed = calls[name].input.safeParse(input);
  if (!parsed.success) return refusal(parsed.error);
  const handler = handlers[name] as (input: unknown) => Promise<Result<unknown>>;
  try {
    return await handler(parsed.data);
  } catch (thrown) {
    if (thrown instanceof LogFailure) return { ok: false, error: thrown.error };
    return fail('internal', 'Something went wrong inside the console.', {
      hint: 'Nothing you typed is lost. Try once more; if it happens again, note what you did and tell whoever looks after this PC.',
    });
  }
};

/**
 * Connects the window to the desk: one handler for every call of the contract.
 * `handlers` resolves once the desk is open, with null when there is none. `isOurs` knows our window by the id of its contents.
 */
export const connectBridge = ({
  handlers,
  isOurs,
}: {
  handlers: () => Promise<Handlers | null>;
  isOurs: (id: number) => boolean;
}): { notify<N extends NoticeName>(contents: WebContents, name: N, notice: Notice<N>): void } => {
  for (const name of callNames) {
    ipcMain.handle(`call:${name}`, async (event, input: unknown) => {
      if (!isTrusted(event, isOurs))
        return fail('message.refused', 'This message did not come from the console.');
      const ready = await handlers().catch(() => null);
      return ready ? answer(name, ready, input) : fail('internal', 'The console is not open.');
    });
  }
  return {
    notify: (contents, name, notice) => {
      if (!contents.isDestroyed()) contents.send(`notice:${name}`, notice);
    },
  };
};
