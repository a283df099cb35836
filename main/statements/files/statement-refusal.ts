import { fail, type AppError } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/messages/message.ts';

/** Why a statement is not read. Parsers that call back can only throw; `readStatement` returns it as a value. */
export class StatementRefusal extends Error {
  readonly problem: Message;
  readonly hint: Message | undefined;
  constructor(problem: Message, hint?: Message) {
    super(problem.key);
    this.problem = problem;
    this.hint = hint;
  }
}

/** The refusal as a failure; anything else is thrown again. */
export const refusalOf = (thrown: unknown): { ok: false; error: AppError } => {
  if (thrown instanceof StatementRefusal) return fail('input.invalid', thrown.problem, { hint: thrown.hint });
  throw thrown;
};
