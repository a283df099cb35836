import { randomUUID } from 'node:crypto';
import type { RequestParsed } from '../../../shared/contract/contract.ts';

/**
 * What a form was opened for. `most`: all that could be sent, as it was shown, wire form. `returns`: what of the order
 * went back or was on its way, by movement.
 */
type Intent = RequestParsed<'operations.begin'> & {
  agentId: string;
  most: string | null;
  returns: readonly string[];
};
/** What the person saw when the form was opened. */
export type Shown = Pick<Intent, 'most' | 'returns'>;

/** Limit of opened forms that were not sent. */
const maxOpened = 1_000;

/** Opened forms. Each is for one person and payment, and used up by the first send, also by a refused one. */
export const createOperationIntents = () => {
  const opened = new Map<string, Intent>();
  return {
    begin: (intent: Intent): string => {
      const id = randomUUID();
      opened.set(id, intent);
      const [oldest] = opened.keys();
      if (opened.size > maxOpened && oldest !== undefined) opened.delete(oldest);
      return id;
    },
    /** The form of a send, which is over now; null if it was sent, or was opened by another person or for something else. */
    use: (form: RequestParsed<'operations.send'>, agentId: string): Intent | null => {
      const intent = opened.get(form.intent);
      opened.delete(form.intent);
      const isSame =
        intent?.agentId === agentId &&
        (['profileId', 'orderNumber', 'paymentId', 'operation'] as const).every(
          name => intent[name] === form[name],
        );
      return isSame ? intent : null;
    },
  };
};
