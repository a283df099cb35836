import { sessionPaths } from '../../../shared/gateway-variants.ts';
import type { AppError } from '../../../shared/errors.ts';
import { joined, msg, type Message } from '../../../shared/messages/message.ts';
import {
  checkedFields,
  type BetterSetting,
  type CheckedField,
} from '../../../shared/settings/connection-check.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { CheckLink, CheckLinkMaker } from '../gateway.ts';
import {
  findingOf,
  namesKey,
  otherHashSettings,
  wrongAddress,
  wrongCredentials,
  wrongKey,
  wrongSetting,
  type Finding,
} from './findings.ts';

/**
 * The step of the connection check that makes a link and withdraws it. An accepted link proves key, password, address
 * and session path; never for a live profile.
 */

const report = findingOf('link');

/** HTTP statuses of an address at which there is no such request. */
const noSuchPath = [301, 302, 303, 307, 308, 404, 405, 501];

/** How the form names the fields that the gateway refused. */
const profileFields: Readonly<Record<string, CheckedField>> = {
  amount: 'amountRule',
  currency: 'defaultCurrency',
};

const fieldsOf = ({ fields = [] }: AppError): CheckedField[] =>
  fields.flatMap(({ path }) => {
    const field = profileFields[path] ?? checkedFields.find(one => one === path);
    return field === undefined ? [] : [field];
  });

/** What the gateway says of the fields that it refuses, otherwise of the request. */
const refusalOf = ({ message, fields = [] }: AppError): Message =>
  fields
    .map(field => field.message)
    .reduce<Message | null>((all, one) => (all ? joined(all, one) : one), null) ?? message;

export type LinkFinding = Finding & {
  /** The order of the accepted link; null if there is none. */
  orderNumber: string | null;
};

const noLink = (finding: Finding): LinkFinding => ({ ...finding, orderNumber: null });

const accepted = ({ orderNumber, amount, currency }: CheckLink): LinkFinding => ({
  ...report(
    'good',
    msg('connection.link.accepted'),
    msg('connection.link.accepted.text', { amount: Number(amount), currency, order: orderNumber }),
    null,
    { isProven: true },
  ),
  orderNumber,
});

/** Tries one other setting after the other; the first with which a link is accepted, or null. */
const findBetter = async (
  makeLink: CheckLinkMaker,
  others: readonly BetterSetting[],
): Promise<BetterSetting | null> => {
  for (const better of others) {
    const { outcome } = await makeLink(better);
    if (outcome.kind === 'accepted') return better;
  }
  return null;
};

const settingFound = (better: BetterSetting): LinkFinding =>
  noLink(wrongSetting(report, better, msg('connection.link.setting-found.text')));

/**
 * Makes a link, and after a refusal finds what is wrong. `isApiRead`: a status request of the same address was read as
 * one; `isKeyKnown`: asks whether the gateway knows the key; `password`: only to see whether upper-casing matters.
 */
export const linkStep = async (
  profile: Profile,
  password: string,
  makeLink: CheckLinkMaker,
  isApiRead: boolean,
  isKeyKnown: () => Promise<boolean>,
): Promise<LinkFinding> => {
  const link = await makeLink(null);
  const { outcome } = link;
  if (outcome.kind === 'accepted') return accepted(link);
  const { message, hint = null, code } = outcome.error;
  const suspects = fieldsOf(outcome.error);
  if (outcome.kind === 'impossible')
    return noLink(
      report(
        'warning',
        msg('connection.link.impossible'),
        message,
        hint ?? msg('connection.link.impossible.todo'),
        {
          suspects,
        },
      ),
    );
  const answer = outcome.kind === 'not-sent' ? null : outcome.answer;
  if (code === 'gateway.not-json') return noLink(wrongAddress(report, message));
  if (outcome.kind !== 'refused') return noLink(report('bad', msg('connection.link.unclear'), message, hint));
  const httpStatus = answer?.httpStatus ?? 0;
  if (code === 'gateway.signature-refused') {
    const better = await findBetter(makeLink, otherHashSettings(profile, `${password}${link.description}`));
    return better ? settingFound(better) : noLink(wrongCredentials(report, message, await isKeyKnown()));
  }
  if (namesKey(outcome.error)) return noLink(wrongKey(report, message));
  if (httpStatus === 401 || httpStatus === 403)
    return noLink(wrongCredentials(report, message, await isKeyKnown()));
  if (noSuchPath.includes(httpStatus)) {
    const paths = sessionPaths.filter(path => path !== profile.sessionPath);
    const better = isApiRead
      ? await findBetter(
          makeLink,
          paths.map(sessionPath => ({ sessionPath })),
        )
      : null;
    if (better) return settingFound(better);
    return noLink(
      isApiRead
        ? report('bad', msg('connection.link.no-path'), message, msg('connection.link.no-path.todo'), {
            suspects: ['sessionPath', 'baseUrl'],
          })
        : wrongAddress(report, message),
    );
  }
  return noLink(
    report(
      'bad',
      msg('connection.link.refused'),
      refusalOf(outcome.error),
      suspects.length > 0 ? msg('connection.link.refused.todo') : hint,
      { suspects },
    ),
  );
};
