import { setTimeout as wait } from 'node:timers/promises';
import { createGateway } from '../../../main/gateway/create-gateway.ts';
import type { Gateway } from '../../../main/gateway/gateway.ts';
import type { RequestName } from '../../../shared/contract/contract.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { profileDraftSchema } from '../../../shared/settings/profile.ts';
import { startTestApp } from '../../../tools/app-harness/running-app.ts';
import { shopAccount, shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';

/**
 * The whole console without its window in a separate process that is killed: `FOLDER`, with the settings of
 * `prepareShop`. It does what its parent asks, and can stop directly before a request for an operation leaves.
 */

export type ToRefunding =
  | { id: number; name: RequestName; input: unknown }
  /** From now on: how long to wait between the durable event and the request, milliseconds; null: for ever. */
  | { pauseMs: number | null };
export type FromRefunding =
  | { ready: { callbackUrl: string } }
  | { id: number; result: unknown }
  /** The event is durable, and the request has not been sent. */
  | { recorded: true };

const [folder = ''] = process.argv.slice(2);

let pauseMs: number | null = 0;
const real = createGateway({ clock: Date.now });
const say = (message: FromRefunding): void => {
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
const must = <T>(result: Awaited<ReturnType<typeof app.request>> & { value?: T }): void => {
  if (!result.ok) throw new Error(inEnglish(result.error.message));
};
const read = await app.request('app.read', {});
if (!read.ok) throw new Error(inEnglish(read.error.message));
// The password was kept for one run only.
must(
  await app.request('profiles.save', {
    id: profileId,
    profile: profileDraftSchema.parse(read.value.profiles.find(({ id }) => id === profileId)),
    password: shopAccount.merchantPassword,
    thisRunOnly: true,
  }),
);
process.on('message', (message: ToRefunding) => {
  if ('pauseMs' in message) ({ pauseMs } = message);
  else void app.request(message.name, message.input as never).then(result => say({ id: message.id, result }));
});
const now = await app.request('app.read', {});
if (!now.ok) throw new Error(inEnglish(now.error.message));
const callbackUrl = now.value.receiver.addresses.find(one => one.profileId === profileId)?.url ?? '';
say({ ready: { callbackUrl } });
