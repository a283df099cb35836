import type * as z from 'zod';
import { ipcRequests, type RequestName, type Handlers } from '../../shared/contract/index.ts';
import { fail, type AppError, type Result } from '../../shared/errors.ts';
import { msg, quoted } from '../../shared/messages/message.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import { LogFailure } from '../payment-log/failures.ts';

const refusal = (error: z.ZodError): { ok: false; error: AppError } =>
  fail('input.invalid', msg('error.message.refused'), {
    fields: error.issues
      .slice(0, 20)
      .map(issue => ({ path: issue.path.join('.'), message: quoted(issue.message) })),
  });

/**
 * Handles one request; its input is validated before the handler runs. An exception of a handler is a defect: its
 * message may contain anything, so the renderer gets only its reference in the application log.
 */
export const dispatchRequest = async (
  name: RequestName,
  handlers: Handlers,
  input: unknown,
): Promise<Result<unknown>> => {
  const parsed = ipcRequests[name].input.safeParse(input);
  if (!parsed.success) return refusal(parsed.error);
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
