import { createGateway } from '../../main/gateway/create-gateway.ts';
import type { Gateway } from '../../main/gateway/gateway.ts';
import type { RequestName } from '../../shared/contract/contract.ts';
import { startTestApp } from '../../tools/app-harness/running-app.ts';

/**
 * The whole console without its window in a separate process, for load and kills: `FOLDER`. It does what its parent asks,
 * and can stop directly before a request for an operation leaves.
 */

export type ToConsole =
  | { id: number; name: RequestName | 'memory'; input: unknown }
  /** From now on: whether requests for operations are held after their event is durable. */
  | { hold: boolean };
export type FromConsole =
  | { isReady: true }
  | { id: number; result: unknown }
  /** The event is durable, and the request has not been sent. */
  | { recorded: true };

const [folder = ''] = process.argv.slice(2);

let isHeld = false;
const real = createGateway({ clock: Date.now });
const say = (message: FromConsole): void => {
  process.send?.(message);
};
const gateway: Gateway = {
  ...real,
  sendOperation: async (...operation) => {
    say({ recorded: true });
    if (isHeld) await new Promise<never>(() => undefined);
    return real.sendOperation(...operation);
  },
};

// Without its parent nothing would end it.
process.once('disconnect', () => process.exit());
const app = await startTestApp(folder, { gateway });
// A window would consume the events; here nothing does.
setInterval(() => app.notices.splice(0), 1_000);
process.on('message', (message: ToConsole) => {
  if ('hold' in message) isHeld = message.hold;
  else if (message.name === 'memory') say({ id: message.id, result: process.resourceUsage().maxRSS * 1_024 });
  else void app.request(message.name, message.input as never).then(result => say({ id: message.id, result }));
});
say({ isReady: true });
