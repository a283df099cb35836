import type { Settings } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { addressScope } from '../../../shared/network-address.ts';

type ReceiverSettings = Settings['receiver'];

const isOpenToNetwork = ({ enabled, host }: ReceiverSettings): boolean =>
  enabled && addressScope(host) !== 'loopback';

/**
 * Whether the renderer may change the receiver's settings in this way. A certificate comes only from
 * `receiver.chooseCertificate`: a path from the renderer could make main read any file. An address that other
 * computers can reach requires the user's confirmation of that address (`confirmedHost`), and so does removing TLS.
 * Errors: `input.invalid`.
 */
export const checkReceiverChange = (
  before: ReceiverSettings,
  next: ReceiverSettings,
  confirmedHost: string | null,
): Result<undefined> => {
  const { tls } = next;
  const isStored = tls?.certificate === before.tls?.certificate && tls?.key === before.tls?.key;
  if (tls !== null && !isStored)
    return fail('input.invalid', msg('receiver.certificate-path'), {
      hint: msg('receiver.certificate-path.hint'),
    });
  const dropsTls = before.tls !== null && tls === null;
  const isNew = !isOpenToNetwork(before) || before.host !== next.host || dropsTls;
  if (isOpenToNetwork(next) && isNew && confirmedHost !== next.host) {
    const message = msg('receiver.reachable');
    return fail('input.invalid', message, {
      hint: msg('receiver.reachable.hint'),
      fields: [{ path: 'receiver.host', message }],
    });
  }
  return ok(undefined);
};
