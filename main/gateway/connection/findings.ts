import type { CheckStep } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { joined, msg, type Message } from '../../../shared/messages/message.ts';
import {
  checkedFields,
  type BetterSetting,
  type CheckedField,
} from '../../../shared/settings/connection-check.ts';
import type { Profile } from '../../../shared/settings/profile.ts';

/** A step of the check that asks the gateway something, and what it shows about the profile. */
export type Finding = {
  step: CheckStep;
  /** The gateway accepted the key and the password, and would not accept another one. */
  isProven: boolean;
  /** A setting that worked in place of the profile's. */
  better: BetterSetting | null;
  /** The fields that may be wrong, the likeliest first. */
  suspects: readonly CheckedField[];
};

type Reporter = (
  outcome: CheckStep['outcome'],
  title: Message,
  meaning: Message,
  todo?: Message | null,
  more?: Partial<Omit<Finding, 'step'>>,
) => Finding;

/** Reports one step; nothing is proven or suspected unless `more` says so. */
export const findingOf =
  (name: CheckStep['step']): Reporter =>
  (outcome, title, meaning, todo = null, more = {}) => ({
    step: { step: name, outcome, title, meaning, todo },
    isProven: false,
    better: null,
    suspects: [],
    ...more,
  });

/** Key or password are wrong. `isKeyKnown`: the gateway refuses a key that does not exist in other words. */
export const wrongCredentials = (report: Reporter, answer: Message, isKeyKnown: boolean): Finding =>
  isKeyKnown
    ? report(
        'bad',
        msg('connection.wrong.password'),
        joined(answer, msg('connection.wrong.password.text')),
        msg('connection.wrong.password.todo'),
        { suspects: ['password'] },
      )
    : report(
        'bad',
        msg('connection.wrong.both'),
        joined(answer, msg('connection.wrong.both.text')),
        msg('connection.wrong.both.todo'),
        { suspects: ['merchantKey', 'password'] },
      );

/** The gateway names the key as the problem. */
export const wrongKey = (report: Reporter, answer: Message): Finding =>
  report('bad', msg('connection.wrong.key'), answer, msg('connection.wrong.key.todo'), {
    suspects: ['merchantKey'],
  });

/** A web page or another service answers at the address. */
export const wrongAddress = (report: Reporter, answer: Message): Finding =>
  report('bad', msg('connection.wrong.address'), answer, msg('connection.wrong.address.todo'), {
    suspects: ['baseUrl'],
  });

/** One setting is wrong, and another value of it works. */
export const wrongSetting = (report: Reporter, better: BetterSetting, meaning: Message): Finding => {
  const suspects = checkedFields.filter(field => Object.hasOwn(better, field));
  return report('bad', msg('connection.wrong.setting'), meaning, msg('connection.wrong.setting.todo'), {
    better,
    suspects,
  });
};

/** Whether the gateway names the merchant key as invalid. */
export const namesKey = ({ fields = [] }: AppError): boolean =>
  fields.some(({ path }) => path === 'merchantKey');

/** The other hash settings that can make a difference, each alone. `signed`: the texts that are hashed. */
export const otherHashSettings = (
  { digest, requestUppercasing }: Profile,
  signed: string,
): Extract<BetterSetting, { digest: unknown } | { requestUppercasing: unknown }>[] => [
  { digest: digest === 'md5' ? 'sha256' : 'md5' },
  // The variants upper-case ASCII letters alike.
  ...(/[^\p{ASCII}]/u.test(signed)
    ? [{ requestUppercasing: requestUppercasing === 'unicode' ? ('ascii' as const) : ('unicode' as const) }]
    : []),
];
