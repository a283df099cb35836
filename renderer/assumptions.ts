import { profileDefaults, type ProfileDraft, type SessionExtras } from '../shared/settings/profile.ts';
import type { MessageKey } from './messages/index.ts';
import type { Say } from './i18n/text.ts';

/** What a profile assumes where the interface is silent, each setting once: the profile's form and the page of assumptions show the same. */
export type Assumption = {
  id: string;
  /** The section that is silent, or that says two things. */
  section: string;
  label: MessageKey;
  /** What the interface says of it, or that it does not. */
  says: MessageKey;
  /** The value as it is kept, to be compared with the default. */
  kept: (draft: Assumed) => unknown;
  /** The value in words. */
  value: (draft: Assumed, t: Say) => string;
};

/** The part of a profile that is assumed. */
type Assumed = Pick<
  ProfileDraft,
  | 'methods'
  | 'sessionPath'
  | 'statusForm'
  | 'statusByOrder'
  | 'digest'
  | 'requestUppercasing'
  | 'gatewayZone'
  | 'amountRule'
  | 'amountExceptions'
  | 'refundAmountInCallback'
  | 'extras'
>;

/** The sections on which the profile's own settings rest. */
export const sections = {
  methods: '§2.1',
  sessionPath: '§4.1',
  statusForm: '§4.2',
  statusByOrder: '§2.4',
  digest: '§5.3, §5.4',
  requestUppercasing: '§5.3',
  gatewayZone: '§2.5',
  amountRule: '§2.2',
  refundAmountInCallback: '§2.6',
  extras: '§2.1',
} as const;

const extra = <K extends keyof SessionExtras>(
  name: K,
  value: (kept: SessionExtras[K], t: Say) => string,
): Assumption => ({
  id: `extras.${name}`,
  section: name === 'sessionExpiry' ? '§3.3' : sections.extras,
  label: `extra.${name}` as MessageKey,
  says: `extra.${name}.text` as MessageKey,
  kept: ({ extras }) => extras[name],
  value: ({ extras }, t) => value(extras[name], t),
});
const onOff = (isOn: boolean, t: Say): string => t(isOn ? 'assumptions.on' : 'assumptions.off');
const written = (text: string, t: Say): string => (text === '' ? t('assumptions.not-sent') : text);

export const assumptions: readonly Assumption[] = [
  {
    id: 'sessionPath',
    section: sections.sessionPath,
    label: 'profile.session-path',
    says: 'profile.session-path.hint',
    kept: ({ sessionPath }) => sessionPath,
    value: ({ sessionPath }) => sessionPath,
  },
  {
    id: 'statusForm',
    section: sections.statusForm,
    label: 'profile.status-form',
    says: 'profile.status-form.hint',
    kept: ({ statusForm }) => statusForm,
    value: ({ statusForm }, t) => t(`status-form.${statusForm}`),
  },
  {
    id: 'statusByOrder',
    section: sections.statusByOrder,
    label: 'profile.status-by-order',
    says: 'profile.status-by-order.hint',
    kept: ({ statusByOrder }) => statusByOrder,
    value: ({ statusByOrder }, t) => onOff(statusByOrder, t),
  },
  {
    id: 'digest',
    section: sections.digest,
    label: 'profile.digest',
    says: 'profile.digest.hint',
    kept: ({ digest }) => digest,
    value: ({ digest }, t) => t(`digest.${digest}`),
  },
  {
    id: 'requestUppercasing',
    section: sections.requestUppercasing,
    label: 'profile.uppercasing',
    says: 'profile.uppercasing.hint',
    kept: ({ requestUppercasing }) => requestUppercasing,
    value: ({ requestUppercasing }, t) => t(`uppercasing.${requestUppercasing}`),
  },
  {
    id: 'gatewayZone',
    section: sections.gatewayZone,
    label: 'profile.zone',
    says: 'profile.zone.hint',
    kept: ({ gatewayZone }) => gatewayZone,
    value: ({ gatewayZone }) => gatewayZone,
  },
  {
    id: 'amountRule',
    section: sections.amountRule,
    label: 'profile.amount-rule',
    says: 'profile.amount-rule.hint',
    kept: ({ amountRule }) => amountRule,
    value: ({ amountRule }, t) => t(`amount-rule.${amountRule ?? 'refuse'}`),
  },
  {
    id: 'amountExceptions',
    section: sections.amountRule,
    label: 'profile.amount-exceptions',
    says: 'profile.amount-exceptions.hint',
    kept: ({ amountExceptions }) => amountExceptions,
    value: ({ amountExceptions }, t) => (amountExceptions === '' ? t('assumptions.none') : amountExceptions),
  },
  {
    id: 'refundAmountInCallback',
    section: sections.refundAmountInCallback,
    label: 'profile.refund-amount',
    says: 'profile.refund-amount.hint',
    kept: ({ refundAmountInCallback }) => refundAmountInCallback,
    value: ({ refundAmountInCallback }, t) => t(`refund-amount.${refundAmountInCallback}`),
  },
  {
    id: 'methods',
    section: sections.methods,
    label: 'profile.methods',
    says: 'profile.methods.hint',
    kept: ({ methods }) => methods,
    value: ({ methods }) => methods.join(', '),
  },
  extra('sendCustomer', onOff),
  extra('reqToken', onOff),
  extra('recurringInit', onOff),
  extra('sessionExpiry', minutes => String(minutes)),
  extra('scheduleId', written),
  extra('channelId', written),
  extra('expiryUrl', written),
  extra('errorUrl', written),
  extra('billingAddress', written),
  extra('customData', written),
  extra('extraJson', written),
];

/** What is assumed of every gateway and cannot be set; each has its sentence in the catalogue. */
export const builtIn = [
  { id: 'request-formulas', section: '§5.4' },
  { id: 'return-url', section: '§1' },
  { id: 'list-of-attempts', section: '§2.5' },
  { id: 'void', section: '§3.1' },
  { id: 'error-bodies', section: '§7' },
  { id: 'rate-limits', section: '§8' },
] as const;

/** Whether a profile has another value than the one every profile begins with. */
export const isChanged = (assumption: Assumption, draft: Assumed): boolean =>
  JSON.stringify(assumption.kept(draft)) !== JSON.stringify(assumption.kept(profileDefaults));

/** The value every profile begins with, in words. */
export const defaultOf = (assumption: Assumption, t: Say): string => assumption.value(profileDefaults, t);
