import type { RequestInput, RequestName, RequestOutput } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults } from '../../shared/settings/profile.ts';

/** The requests of a console. */
export type Requests = <N extends RequestName>(
  name: N,
  input: RequestInput<N>,
) => Promise<Result<RequestOutput<N>>>;

/** The value of a request; throws its error in English. */
export const valueOf = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Error(inEnglish(result.error.message));
};

/** The merchant's profile for load; it sends no requests. */
const profile = {
  ...profileDefaults,
  successUrl: 'https://shop.test/thank-you?order={order}',
  cancelUrl: 'https://shop.test/cancelled?order={order}',
  name: 'Load',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'load-key',
} as const;

/**
 * Saves a merchant's profile, once for a console, and starts the receiver; returns the profile's id and its address.
 * `thisRunOnly`: the password is not stored in the keychain. `quarantine`: how many callbacks that do not verify it keeps.
 */
export const startListener = async (
  request: Requests,
  password: string,
  thisRunOnly: boolean,
  bounds: { quarantine?: number } = {},
): Promise<{ id: string; url: string }> => {
  const { settings, profiles } = valueOf(await request('app.read', {}));
  const known = profiles.find(({ name }) => name === profile.name)?.id ?? null;
  const { id } = valueOf(await request('profiles.save', { id: known, profile, password, thisRunOnly }));
  const { receiver } = valueOf(
    await request('settings.change', {
      activeProfileId: id,
      lookUpAutomatically: false,
      receiver: { ...settings.receiver, enabled: true, ...bounds },
    }),
  );
  return { id, url: receiver.addresses.find(({ profileId }) => profileId === id)?.url ?? '' };
};
