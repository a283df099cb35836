import type * as z from 'zod';
import { ipcRequests, type RequestName, type Handlers } from '../../shared/contract/contract.ts';
import { fail, type AppError, type Result } from '../../shared/errors.ts';
import { msg, quoted } from '../../shared/messages/message.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import { LogFailure } from '../payment-log/log-failures.ts';

const invalid = (error: z.ZodError): { ok: false; error: AppError } =>
  fail('input.invalid', msg('error.message.refused'), {
    fields: error.issues
      .slice(0, 20)
      .map(issue => ({ path: issue.path.join('.'), message: quoted(issue.message) })),
  });

/** Limits of a message, before its schema is looked at: a schema writes an error for each of a million entries. */
const maxEntries = 10_000;
const maxChars = 10_000_000;

/** Whether a message has more entries or text than any request of the window. Ends at the limit. */
export const isOversized = (input: unknown): boolean => {
  const open: unknown[] = [input];
  let entries = 0;
  let chars = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') chars += value.length;
    else if (ArrayBuffer.isView(value)) chars += value.byteLength;
    else if (typeof value === 'object' && value !== null) {
      const length = Array.isArray(value) ? value.length : 0;
      if (entries + length > maxEntries) return true;
      // Not Object.entries: it would list a million names before the first is counted.
      for (const name in value) {
        entries += 1;
        chars += name.length;
        if (entries > maxEntries || chars > maxChars) return true;
        open.push((value as Record<string, unknown>)[name]);
      }
    }
    if (chars > maxChars) return true;
  }
  return false;
};

type Application = {
  handlers: Handlers;
  /** Why the request is refused with any content, such as while the console is locked; null if it is not. */
  refusal: (name: RequestName) => Result<never> | null;
};

/**
 * Handles one request. Lock and rights come first, then its size, then its schema, before the handler runs. An exception of a handler is a defect: its
 * message may contain anything, so the renderer gets only its reference in the application log.
 */
export const dispatchRequest = async (
  name: RequestName,
  { handlers, refusal }: Application,
  input: unknown,
): Promise<Result<unknown>> => {
  const refused = refusal(name);
  if (refused) return refused;
  if (isOversized(input)) return fail('input.invalid', msg('error.message.refused'));
  const parsed = ipcRequests[name].input.safeParse(input);
  if (!parsed.success) return invalid(parsed.error);
  const handler = handlers[name] as (input: unknown) => Promise<Result<unknown>>;
  try {
    return await handler(parsed.data);
  } catch (thrown) {
    if (thrown instanceof LogFailure) return { ok: false, error: thrown.error };
    return fail('internal', msg('error.internal'), {
      hint: msg('hint.internal'),
      details: { reference: reportFailure('request', `The handler of ${name} threw.`, thrown) },
    });
  }
};
