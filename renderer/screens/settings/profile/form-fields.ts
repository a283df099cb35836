import type { MessageKey } from '../../../../shared/messages/message.ts';

/** The names of the fields of a profile's form that something leads to, by path, in the order of the form. */
export const fieldLabels: Readonly<Record<string, MessageKey>> = {
  name: 'profile.name',
  baseUrl: 'profile.base-url',
  merchantKey: 'profile.merchant-key',
  password: 'profile.password',
  successUrl: 'profile.success-url',
  cancelUrl: 'profile.cancel-url',
  defaultCurrency: 'profile.currency',
  orderPattern: 'profile.order-pattern',
  methods: 'profile.methods',
  'merchant.name': 'profile.merchant.name',
  'merchant.phone': 'profile.merchant.phone',
  'merchant.address': 'profile.merchant.address',
  'merchant.logo': 'profile.merchant.logo',
  timeZone: 'profile.merchant.zone',
  sessionPath: 'profile.session-path',
  statusForm: 'profile.status-form',
  digest: 'profile.digest',
  requestUppercasing: 'profile.uppercasing',
  amountRule: 'profile.amount-rule',
  gatewayZone: 'profile.zone',
  amountExceptions: 'profile.amount-exceptions',
  'extras.sessionExpiry': 'extra.sessionExpiry',
  'extras.scheduleId': 'extra.scheduleId',
  'extras.channelId': 'extra.channelId',
  'extras.expiryUrl': 'extra.expiryUrl',
  'extras.errorUrl': 'extra.errorUrl',
  'extras.billingAddress': 'extra.billingAddress',
  'extras.customData': 'extra.customData',
  'extras.extraJson': 'extra.extraJson',
  'timeouts.connect': 'timeout.connect',
  'timeouts.headers': 'timeout.headers',
  'timeouts.body': 'timeout.body',
};

/** Focuses a field of a form by its path, in the middle of the view. False if the form does not show it. */
export const focusField = (form: Element | null, path: string): boolean => {
  const name = CSS.escape(path);
  const field = form?.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"] button`);
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
  return field != null;
};
