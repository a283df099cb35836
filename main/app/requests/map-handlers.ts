import type { RequestName, Handlers } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';

export type Handler = (input: unknown) => Promise<Result<unknown>>;

/** Each handler, wrapped. */
export const mapHandlers = (
  handlers: Handlers,
  wrap: (handler: Handler, name: RequestName) => Handler,
): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, wrap(handler as Handler, name as RequestName)]),
  ) as Handlers;
