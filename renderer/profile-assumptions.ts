import {
  profileDefaults,
  type OperationSettings,
  type ProfileDraft,
  type SessionExtras,
} from '../shared/settings/profile.ts';
import { operationKinds } from '../shared/operations/operation-kinds.ts';
import type { MessageKey } from '../shared/messages/message.ts';
import type { Translate } from './i18n/text.ts';

/**
 * The assumptions of a profile where the interface is silent, each setting once: the profile's form and the page of
 * assumptions show the same.
 */
export type Assumption = {
  id: string;
  /** The section that is silent or ambiguous. */
  section: string;
  label: MessageKey;
  /** The interface's statement about it, or that there is none. */
  description: MessageKey;
  /** The stored value, for comparison with the default. */
  stored: (draft: Assumed) => unknown;
  /** The value as text. */
  value: (draft: Assumed, t: Translate) => string;
};

/** The assumed part of a profile. */
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
  | 'operations'
>;

type OwnLabel =
  | 'session-path'
  | 'status-form'
  | 'status-by-order'
  | 'digest'
  | 'uppercasing'
  | 'zone'
  | 'amount-rule'
  | 'amount-exceptions'
  | 'refund-amount'
  | 'methods';

/** The sections behind the profile's own settings. */
export const sections = {
  methods: '§2.1',
  sessionPath: '§4.1',
  statusForm: '§4.2',
  statusByOrder: '§2.4',
  digest: '§5.3, §5.4',
  requestUppercasing: '§5.3',
  gatewayZone: '§2.5',
  amountRule: '§2.2',
  amountExceptions: '§2.2',
  refundAmountInCallback: '§2.6',
  extras: '§2.1',
  operations: '§6.1',
} as const;

/** A setting of the profile itself. `label`: of its texts, which begin with `profile.`. */
const own = <K extends Exclude<keyof Assumed, 'extras' | 'operations'>>(
  name: K,
  label: OwnLabel,
  value: (stored: Assumed[K], t: Translate) => string,
): Assumption => ({
  id: name,
  section: sections[name],
  label: `profile.${label}`,
  description: `profile.${label}.hint`,
  stored: draft => draft[name],
  value: (draft, t) => value(draft[name], t),
});

const extra = <K extends keyof SessionExtras>(
  name: K,
  value: (stored: SessionExtras[K], t: Translate) => string,
): Assumption => ({
  id: `extras.${name}`,
  section: name === 'sessionExpiry' ? '§3.3' : sections.extras,
  label: `extra.${name}` as MessageKey,
  description: `extra.${name}.text` as MessageKey,
  stored: ({ extras }) => extras[name],
  value: ({ extras }, t) => value(extras[name], t),
});

/** A setting of the operations; a limit for people is no assumption. */
const operation = <K extends Exclude<keyof OperationSettings, 'limits'>>(
  name: K,
  value: (stored: OperationSettings[K], t: Translate) => string,
): Assumption => ({
  id: `operations.${name}`,
  section: name === 'statusSize' ? sections.statusByOrder : sections.operations,
  label: `profile.operations.${name}`,
  description: `profile.operations.${name}.text`,
  stored: ({ operations }) => operations[name],
  value: ({ operations }, t) => value(operations[name], t),
});
const onOff = (isEnabled: boolean, t: Translate): string =>
  t(isEnabled ? 'assumptions.on' : 'assumptions.off');
const written = (text: string, t: Translate): string => (text === '' ? t('assumptions.not-sent') : text);

export const assumptions: readonly Assumption[] = [
  own('sessionPath', 'session-path', path => path),
  own('statusForm', 'status-form', (form, t) => t(`status-form.${form}`)),
  own('statusByOrder', 'status-by-order', onOff),
  own('digest', 'digest', (digest, t) => t(`digest.${digest}`)),
  own('requestUppercasing', 'uppercasing', (one, t) => t(`uppercasing.${one}`)),
  own('gatewayZone', 'zone', zone => zone),
  own('amountRule', 'amount-rule', (rule, t) => t(`amount-rule.${rule ?? 'refuse'}`)),
  own('amountExceptions', 'amount-exceptions', (text, t) => (text === '' ? t('assumptions.none') : text)),
  own('refundAmountInCallback', 'refund-amount', (amount, t) => t(`refund-amount.${amount}`)),
  own('methods', 'methods', methods => methods.join(', ')),
  extra('sendCustomer', onOff),
  extra('reqToken', onOff),
  extra('cardToken', onOff),
  extra('recurringInit', onOff),
  extra('sessionExpiry', minutes => String(minutes)),
  extra('scheduleId', written),
  extra('channelId', written),
  extra('expiryUrl', written),
  extra('errorUrl', written),
  extra('billingAddress', written),
  extra('customData', written),
  extra('extraJson', written),
  extra('auth', onOff),
  ...operationKinds.map(kind => operation(kind, onOff)),
  operation('voidAllowed', (moment, t) => t(`void-allowed.${moment}`)),
  operation('sendCurrencyInRecurring', onOff),
  operation('sendCustomerInRecurring', onOff),
  operation('statusSize', (size, t) => (size === 0 ? t('assumptions.not-sent') : String(size))),
  operation('holdDays', days => String(days)),
];

/** Assumptions about every gateway that cannot be set; each has a sentence in the catalogue. */
export const builtIn = [
  { id: 'request-formulas', section: '§5.4' },
  { id: 'return-url', section: '§1' },
  { id: 'list-of-attempts', section: '§2.5' },
  { id: 'void', section: '§3.1' },
  { id: 'error-bodies', section: '§7' },
  { id: 'rate-limits', section: '§8' },
] as const;

/** Whether a profile's value differs from the default. */
export const isChanged = (assumption: Assumption, draft: Assumed): boolean =>
  JSON.stringify(assumption.stored(draft)) !== JSON.stringify(assumption.stored(profileDefaults));

/** The default value as text. */
export const defaultOf = (assumption: Assumption, t: Translate): string =>
  assumption.value(profileDefaults, t);
