import { msg, quoted, type Message, type MessageKey } from './messages/message.ts';
import { descriptorOf } from './settings/descriptors.ts';
import type { ActivityAction } from './activity/activity.ts';
import type { ActivityDetails } from './activity/activity.schema.ts';

/** Fields of profiles by the label of their form. A part of a group is named in brackets. */
const profileLabels: Readonly<Record<string, MessageKey>> = {
  amountExceptions: 'profile.amount-exceptions',
  amountRule: 'profile.amount-rule',
  baseUrl: 'profile.base-url',
  cancelUrl: 'profile.cancel-url',
  defaultCurrency: 'profile.currency',
  digest: 'profile.digest',
  extras: 'profile.advanced.extras',
  gatewayZone: 'profile.zone',
  intentGuard: 'profile.intent-guard',
  kind: 'profile.kind',
  merchant: 'profile.advanced.merchant',
  merchantKey: 'profile.merchant-key',
  methods: 'profile.methods',
  name: 'profile.name',
  operations: 'settings.refunds',
  orderPattern: 'profile.order-pattern',
  refundAmountInCallback: 'profile.refund-amount',
  requestUppercasing: 'profile.uppercasing',
  sharedLog: 'settings.team',
  sessionPath: 'profile.session-path',
  statusByOrder: 'profile.status-by-order',
  statusForm: 'profile.status-form',
  successUrl: 'profile.success-url',
  timeZone: 'profile.merchant.zone',
  timeouts: 'profile.advanced.timeouts',
};

/** The name of a field of settings or of a profile: `receiver.port`. */
export const fieldLabel = (field: string): Message => {
  const [name = '', part] = field.split('.');
  const label = descriptorOf(name)?.label ?? profileLabels[name];
  const whole = label === undefined ? quoted(name) : msg(label);
  return part === undefined ? whole : msg('activity.part', { whole, part });
};

const fieldInWords = (field: string): Message => msg('activity.field', { label: fieldLabel(field) });

const listed = (fields: readonly Message[]): Message =>
  fields.length === 0
    ? quoted('–')
    : fields.reduce((first, second) => msg('activity.and', { first, second }));

const exportedInWords = ({ exported, count = 0, format = '', order = '' }: ActivityDetails): Message => {
  switch (exported) {
    case 'payments':
      return msg('activity.exported.payments', { count, format: format.toUpperCase() });
    case 'scheduled':
      return msg('activity.exported.scheduled', { count });
    case 'statement':
      return msg('activity.exported.statement', { count });
    case 'sandbox-statement':
      return msg('activity.exported.sandbox-statement', { count });
    case 'calendar':
      return msg('activity.exported.calendar', { order });
    case 'month':
      return msg('activity.exported.month', { format: format.toUpperCase() });
    case 'overview':
      return msg('activity.exported.overview', { format: format.toUpperCase() });
    case 'review':
      return msg('activity.exported.review', { count });
    case 'dossier':
      return msg('activity.exported.dossier', { order });
    case 'confirmation':
      return msg('activity.exported.confirmation', { order });
    case 'settings':
      return msg('activity.exported.settings');
    case 'log-copy':
      return msg('activity.exported.log-copy');
    case 'activity':
      return msg('activity.exported.activity', { count });
    case undefined:
      return msg('activity.exported');
    default:
      return exported satisfies never;
  }
};

/** What was done, in one sentence; the same in the window and in an export. */
export const activityInWords = (action: ActivityAction, details: ActivityDetails): Message => {
  const { person = '', name = '', profile = '', order = '', archive = '' } = details;
  const { version = '', versionBefore = '' } = details;
  const role = msg(`role.${details.role ?? 'agent'}`);
  const fields = [
    ...(details.fields ?? []).map(fieldInWords),
    ...(details.password ? [msg('activity.field', { label: msg('profile.password') })] : []),
  ];
  switch (action) {
    case 'signed-in':
      return msg('activity.signed-in');
    case 'signed-out':
      return msg(`activity.signed-out.${details.reason ?? 'person'}`);
    case 'wrong-pin':
    case 'person-removed':
    case 'pin-set':
    case 'pin-removed':
      return msg(`activity.${action}`, { person });
    case 'person-added':
      return msg('activity.person-added', { person, role });
    case 'person-renamed':
      return msg('activity.person-renamed', { person, name });
    case 'role-changed':
      return msg('activity.role-changed', {
        person,
        role,
        before: msg(`role.${details.roleBefore ?? 'agent'}`),
      });
    case 'settings-changed':
      return msg('activity.settings-changed', { fields: listed(fields) });
    case 'settings-imported':
      return msg('activity.settings-imported');
    case 'profile-added':
    case 'profile-removed':
      return msg(`activity.${action}`, { profile });
    case 'profile-changed':
      return msg('activity.profile-changed', { profile, fields: listed(fields) });
    case 'exported':
      return exportedInWords(details);
    case 'movement-recorded':
    case 'movement-undone':
      return msg(`activity.${action}`, { order });
    case 'erased':
      return details.count === undefined
        ? msg('activity.erased', { order })
        : msg('activity.erased.customer', { order, count: details.count });
    case 'retention-erased':
      return msg('activity.retention-erased', { count: details.count ?? 0 });
    case 'restored':
    case 'log-created':
      return msg(`activity.${action}`, { archive });
    case 'log-rebuilt':
      return msg(`activity.${action}`);
    case 'loss-settled':
      return msg('activity.loss-settled', { count: details.count ?? 0 });
    case 'update-installed':
      return msg('activity.update-installed', { version, before: versionBefore });
    case 'update-failed':
      return msg('update.not-installed', { version });
    case 'update-refused':
      return msg('activity.update-refused', {
        why: msg(`update.refused.${details.refusal ?? 'unsigned'}`, { version }),
      });
    default:
      return action satisfies never;
  }
};
