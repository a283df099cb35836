import { rights, type Right, type Role } from '../agents/roles.ts';
import type { RequestName, RequestParsed } from './index.ts';

/**
 * The right that each request needs. `everyone`: none. `by-field`: each setting has its own, below. `own-pin`: none to
 * change one's own PIN, otherwise `people`. `self-assign`: `links` to take a payment and to give one back, otherwise
 * `review`.
 */
type RequestRight = Right | 'everyone' | 'by-field' | 'own-pin' | 'self-assign';

/** A request without an entry does not compile. */
export const requestRights = {
  'app.read': 'everyone',
  'app.lock': 'everyone',
  'app.takePendingNavigation': 'everyone',
  'app.reportError': 'everyone',
  'app.showLog': 'everyone',
  'appLog.chooseForwardFile': 'settings',
  'settings.change': 'by-field',
  'settings.dismissRecovery': 'settings',
  'settings.export': 'settings',
  'settings.previewImport': 'settings',
  'settings.import': 'settings',
  'agents.signIn': 'everyone',
  'agents.signOut': 'everyone',
  'agents.save': 'own-pin',
  'agents.remove': 'people',
  'activity.list': 'activity',
  'activity.export': 'activity',
  'profiles.save': 'profiles',
  'profiles.remove': 'profiles',
  'profiles.dryRun': 'profiles',
  'profiles.check': 'profiles',
  'profiles.health': 'everyone',
  'payments.create': 'links',
  'payments.suggestOrder': 'links',
  'payments.knownCustomer': 'everyone',
  'payments.list': 'everyone',
  'payments.count': 'everyone',
  'payments.totals': 'everyone',
  'payments.counts': 'everyone',
  'payments.read': 'everyone',
  'payments.lookUp': 'look-up',
  'payments.cancelWait': 'everyone',
  'payments.shareLink': 'links',
  'payments.printConfirmation': 'everyone',
  'payments.withdrawLink': 'links',
  'payments.note': 'links',
  'payments.overview': 'everyone',
  'payments.handoverNote': 'handover',
  'payments.export': 'export',
  'payments.reconcile': 'everyone',
  'review.resolve': 'review',
  'review.reopen': 'review',
  'review.assign': 'self-assign',
  'review.snooze': 'review',
  'payments.showExport': 'export',
  'payments.exportFigures': 'export',
  'payments.exportReconciliation': 'export',
  'payments.dossier': 'export',
  'lookUps.inquiries': 'everyone',
  'lookUps.start': 'look-up',
  'lookUps.control': 'look-up',
  'lookUps.read': 'everyone',
  'lookUps.payments': 'everyone',
  'templates.list': 'everyone',
  'templates.save': 'links',
  'templates.remove': 'links',
  'callbacks.inspect': 'everyone',
  'callbacks.sample': 'everyone',
  'callbacks.store': 'look-up',
  'callbacks.openFile': 'everyone',
  'callbacks.dropFile': 'everyone',
  'callbacks.dropPart': 'everyone',
  'callbacks.file': 'everyone',
  'callbacks.fileRows': 'everyone',
  'callbacks.fileInspection': 'everyone',
  'callbacks.storeFile': 'look-up',
  'callbacks.closeFile': 'everyone',
  'callbacks.recent': 'everyone',
  'receiver.chooseCertificate': 'settings',
  'receiver.resetQuarantine': 'review',
  'receiver.test': 'settings',
  'receiver.testOutside': 'settings',
  'receiver.events': 'everyone',
  'sandbox.faults': 'links',
  'sandbox.resend': 'links',
  'sandbox.openDashboard': 'links',
  'log.verify': 'everyone',
  'log.rebuild': 'log',
  'log.settleLoss': 'log',
  'log.reopen': 'everyone',
  'log.backUp': 'log',
  'log.copies': 'everyone',
  'log.checkCopy': 'log',
  'log.restore': 'log',
  'log.createNew': 'log',
  'log.beginEncryption': 'log',
  'log.encrypt': 'log',
  'log.decrypt': 'log',
  'log.readPhrase': 'log',
  'log.unlock': 'log',
  'log.removePlainFiles': 'log',
  'log.erase': 'erase',
  'health.read': 'everyone',
  'updates.check': 'settings',
  'updates.restart': 'everyone',
  'team.check': 'settings',
  'team.join': 'settings',
  'team.plan': 'settings',
  'team.share': 'settings',
  'team.verify': 'log',
  'team.leave': 'settings',
  'team.beginChain': 'log',
  'team.look': 'everyone',
} as const satisfies Record<RequestName, RequestRight>;

type SettingsChange = RequestParsed<'settings.change'>;

/** Display settings belong to each person; the others decide for everyone. */
export const settingRights = {
  theme: 'everyone',
  density: 'everyone',
  language: 'everyone',
  singleKeys: 'everyone',
  columns: 'everyone',
  export: 'everyone',
  views: 'everyone',
  waitingRail: 'everyone',
  guide: 'everyone',
  activeProfileId: 'everyone',
  notifications: 'everyone',
  outcomeSound: 'everyone',
  confirmPaid: 'settings',
  lookUpMissing: 'settings',
  recheckPaidDays: 'settings',
  receiver: 'settings',
  confirmedHost: 'settings',
  retentionDays: 'settings',
  tray: 'settings',
  stayOpen: 'settings',
  startAtLogin: 'settings',
  logForwarding: 'settings',
  updateServer: 'settings',
  idleLock: 'settings',
  sentences: 'settings',
  messages: 'settings',
} as const satisfies Record<keyof SettingsChange, Right | 'everyone'>;

const isRight = (right: RequestRight): right is Right => rights.some(one => one === right);

const settingsRight = (change: SettingsChange): Right | null =>
  Object.keys(change).some(name => settingRights[name as keyof SettingsChange] === 'settings')
    ? 'settings'
    : null;

/** Whether a person only changes their own PIN. */
const isOwnPin = (
  { id, name, role }: RequestParsed<'agents.save'>,
  self: { id: string; name: string; role: Role },
): boolean => id === self.id && name === self.name && (role ?? self.role) === self.role;

/** The right that a request needs with any content; null if it needs none, or if its content decides. */
export const fixedRight = (name: RequestName): Right | null => {
  const right: RequestRight = requestRights[name];
  return isRight(right) ? right : null;
};

/** The right that this request of this person needs; null = none. */
export const rightNeeded = (
  name: RequestName,
  input: unknown,
  self: { id: string; name: string; role: Role },
): Right | null => {
  const right: RequestRight = requestRights[name];
  if (isRight(right)) return right;
  if (right === 'by-field') return settingsRight(input as SettingsChange);
  if (right === 'own-pin') return isOwnPin(input as RequestParsed<'agents.save'>, self) ? null : 'people';
  if (right === 'self-assign') {
    const { assignee } = input as RequestParsed<'review.assign'>;
    return assignee === null || assignee === self.name ? 'links' : 'review';
  }
  return null;
};
