import { setTimeout as wait } from 'node:timers/promises';
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
  /** From now on: how long to wait between the durable event and the request, milliseconds; null: for ever. */
  | { pauseMs: number | null };
export type FromConsole =
  | { isReady: true }
  | { id: number; result: unknown }
  /** The event is durable, and the request has not been sent. */
  | { recorded: true };

const [folder = ''] = process.argv.slice(2);

let pauseMs: number | null = 0;
const real = createGateway({ clock: Date.now });
const say = (message: FromConsole): void => {
  process.send?.(message);
};
const gateway: Gateway = {
  ...real,
  sendOperation: async (...operation) => {
    say({ recorded: true });
    if (pauseMs === null) await new Promise<never>(() => undefined);
    else if (pauseMs > 0) await wait(pauseMs);
    return real.sendOperation(...operation);
  },
};

// Without its parent nothing would end it.
process.once('disconnect', () => process.exit());
const app = await startTestApp(folder, { gateway });
// A window would consume the events; here nothing does.
setInterval(() => app.notices.splice(0), 1_000);
process.on('message', (message: ToConsole) => {
  if ('pauseMs' in message) ({ pauseMs } = message);
  else if (message.name === 'memory') say({ id: message.id, result: process.resourceUsage().maxRSS * 1_024 });
  else void app.request(message.name, message.input as never).then(result => say({ id: message.id, result }));
});
say({ isReady: true });
