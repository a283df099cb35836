import type { Alert } from '../../../shared/alerts/alert.schema.ts';
import { maxShownAlerts, type QuietHours } from '../../../shared/alerts/alert.ts';
import {
  paymentFilterSchema,
  type AppState,
  type NavigationTarget,
  type ReceiverHealth,
  type Settings,
} from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { chooseLanguage, msg } from '../../../shared/messages/message.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { endsWithLink, stateAt } from '../../../shared/payment-reducer/state-at.ts';
import type { Event, EventOf } from '../../../shared/payments/evidence.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { reportFailure } from '../../app-log/failure-report.ts';
import { startLoop } from '../../pacing/loop.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import type { Feature } from '../common/feature.ts';
import type { DeepLinks } from './deep-links.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { factAbout, factOfComputer, outcomeOf, overdueFact } from '../../alerts/alert-facts.ts';
import { inConsole, type ConsoleFact } from '../alerts/alert-book.ts';
import type { PersonalAlerts } from '../alerts/personal-alerts.ts';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Notification } from '../common/system.ts';
import { changeOf, isQuiet, notedProfile, paymentInWords, titleOfKind } from './notifications.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/** Finds the facts that no single change brings: those that time brings, and what happened while the console was closed. */

const minuteMs = 60_000;
/** Scan limits of one run, payments. */
const maxExpiring = 200;
const maxOverdue = 50;
const maxAssigned = 50;
/** Earlier assignments cause no alert when the console starts or a person signs in. */
export const recentMs = 24 * 60 * minuteMs;

/**
 * When a link becomes an alert, milliseconds: `minutes` before it expires, but not in the first half of its time, so that
 * a short one is no alert as soon as it is created.
 */
export const expiringFrom = (
  { issuedAt, expiresAt }: { issuedAt: number; expiresAt: number },
  minutes: number,
): number => Math.max(expiresAt - minutes * minuteMs, issuedAt + (expiresAt - issuedAt) / 2);

/** Whether a payment's latest link can still be paid and nothing has come of it. */
export const isUnpaidLink = (payment: Payment, now: number): boolean =>
  payment.link !== null && payment.linkUsable && endsWithLink(payment.state) && now < payment.link.expiresAt;

/** Links of a person that expire unpaid within `minutes`. */
export const expiringLinks = async (
  log: PaymentLog,
  name: string,
  minutes: number,
  now: number,
): Promise<ConsoleFact[]> => {
  const rows = await log.expiringSoon(null, maxExpiring);
  const facts: ConsoleFact[] = [];
  for (const row of rows) {
    const isSoon = row.expiresAt !== null && row.expiresAt - now <= minutes * minuteMs;
    if (!isSoon || row.agent !== name || !endsWithLink(stateAt(row, now))) continue;
    const payment = await log.payment(row.profileId, row.orderNumber);
    if (!payment?.link || !isUnpaidLink(payment, now)) continue;
    const at = expiringFrom(payment.link, minutes);
    const { expiresAt } = payment.link;
    if (at <= now)
      facts.push(
        inConsole(factAbout('link-expiring', payment, expiresAt, at), { createdBy: name, expiresAt }),
      );
  }
  return facts;
};

/** How old a payment may be that a callback is missed for, milliseconds. */
const overdueScanMs = 6 * 60 * minuteMs;

/**
 * Payments whose callback is overdue: the gateway's status check says that they were paid or returned, the grace period of the
 * review list has passed, and no callback came. The gateway repeats a callback up to three times at intervals that it does not state
 * (§6.2), so no other time is assumed. Only under profiles for which callbacks have come before.
 */
export const overdueCallbacks = async (log: PaymentLog, now: number): Promise<ConsoleFact[]> => {
  const filter = paymentFilterSchema.parse({ states: ['paid-confirmed'], from: now - overdueScanMs });
  const [paid, returned] = await Promise.all([
    log.list(filter, null, maxOverdue),
    log.reconcile(null, 'returned-without-callback', null, maxOverdue),
  ]);
  const overdue = [...paid.rows, ...returned.rows].flatMap(row => {
    const fact = overdueFact(row, now);
    return fact === null ? [] : [{ row, fact }];
  });
  /** Whether callbacks come at all, by profile. */
  const comes = new Map<string, boolean>();
  const facts: ConsoleFact[] = [];
  for (const { row, fact } of overdue) {
    const { profileId, agent } = row;
    const isReached = comes.get(profileId) ?? (await log.hasCallbacks(profileId));
    comes.set(profileId, isReached);
    if (isReached) facts.push(inConsole(fact, { createdBy: agent }));
  }
  return facts;
};

const isAssignment = (event: Event): event is EventOf<'review.assigned'> => event.kind === 'review.assigned';

/** The alerts of events that assign a payment to another person. */
export const assignments = (events: readonly Event[]): ConsoleFact[] =>
  events.filter(isAssignment).flatMap(({ id, profileId, orderNumber, happenedAt, agent, body }) =>
    orderNumber === null || body.assignee === null || body.assignee === agent
      ? []
      : [
          inConsole(factAbout('assigned-to-me', { profileId, orderNumber }, id, happenedAt), {
            assignee: body.assignee,
            by: agent,
          }),
        ],
  );

/** The recent assignments of a person that are still open. */
export const openAssignments = async (log: PaymentLog, name: string, now: number): Promise<ConsoleFact[]> => {
  const { rows } = await log.reconcile(null, null, null, maxAssigned, { list: 'mine', agent: name });
  const facts: ConsoleFact[] = [];
  for (const { profileId, orderNumber, lastAt } of rows.slice(0, maxAssigned)) {
    if (lastAt < now - recentMs) continue;
    const last = (await log.events(profileId, orderNumber)).findLast(isAssignment);
    if (last) facts.push(...assignments([last]).filter(({ at }) => at >= now - recentMs));
  }
  return facts;
};

/** The alerts that this part shows; those of outcomes are shown with the other changes of their payments. */
const kinds = [
  'receiver-unreachable',
  'export-failed',
  'link-expiring',
  'callbacks-overdue',
  'assigned-to-me',
] as const;

export type DesktopAlert = { fact: ConsoleFact; payment: Payment | null };

export type AlertNotice = { notification: Notification; target: NavigationTarget };

const targetOf = ({ kind, payment }: ConsoleFact): NavigationTarget =>
  payment === null
    ? { screen: 'settings', section: kind === 'export-failed' ? 'data' : 'receiver', id: null }
    : { screen: 'payment', ...payment };

/**
 * One notification for the alerts of a run; null if there is none to show. It contains no link, and the customer's name
 * only if the settings allow it; a locked console shows only that something happened.
 */
export const alertNotice = (
  alerts: readonly DesktopAlert[],
  given: {
    settings: Pick<Settings['notifications'], 'enabled' | 'showDetails'>;
    quietHours: QuietHours;
    isLocked: boolean;
    /** Milliseconds. */
    now: number;
    profileOf: (profileId: string) => ReturnType<typeof notedProfile>;
    language: { format: FormatMessage; locale: string };
  },
): AlertNotice | null => {
  const [first] = alerts;
  const { format, locale } = given.language;
  if (!first || !given.settings.enabled || isQuiet(given.quietHours, given.now)) return null;
  const isOne = alerts.length === 1;
  const target: NavigationTarget = isOne ? targetOf(first.fact) : { screen: 'payments' };
  const count = alerts.length;
  if (given.isLocked)
    return {
      notification: {
        title: format(msg('app.name')),
        body: format(msg('alert.notification.locked', { count })),
      },
      target,
    };
  const countOf = (kind: (typeof kinds)[number]): number =>
    alerts.filter(({ fact }) => fact.kind === kind).length;
  const present = kinds.filter(kind => countOf(kind) > 0);
  const [kind] = present;
  if (kind === undefined) return null;
  if (!isOne) {
    const parts = present.map(one => format(msg(`alert.notification.${one}`, { count: countOf(one) })));
    return {
      notification: { title: format(msg('alert.notification.several', { count })), body: parts.join(', ') },
      target,
    };
  }
  const { payment } = first;
  const profile = payment === null ? null : given.profileOf(payment.profileId);
  return {
    notification: {
      title: format(titleOfKind(msg(`alert.kind.${kind}`), profile)),
      body:
        payment === null
          ? format(msg(`alert.${kind === 'export-failed' ? kind : 'receiver-unreachable'}.text`))
          : paymentInWords(payment, locale, given.settings.showDetails, profile),
    },
    target,
  };
};

/** Interval of the runs that look for what time brings. */
const intervalMs = 15_000;
/** Delay of a run after a person signed in or chose something. */
const soonMs = 1_000;

const isReceiverDown = (enabled: boolean, { listening, problem }: ReceiverHealth): boolean =>
  enabled && (!listening || problem !== null);

/**
 * The alerts of the signed-in person: found every few seconds and in what is written, shown in the window, and as desktop
 * notifications where the person wants that. What was there before they signed in is only in the window.
 */
export const createAlertsFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    personal: PersonalAlerts;
    session: Pick<AgentSession, 'isLeft'>;
    deepLinks: Pick<DeepLinks, 'open'>;
    receiver: () => ReceiverHealth;
    /** Whether the last scheduled export failed. */
    hasExportFailed: () => boolean;
    publish: () => Promise<AppState>;
  },
): Feature<'alerts.read' | 'alerts.markSeen' | 'alerts.choose'> & {
  /** Looks for alerts now. */
  run: () => Promise<void>;
} => {
  const { settings, clock, system } = parts;
  const { personal, session } = given;
  /** Who was at this computer in the last run, and since when, milliseconds. */
  let person = '';
  let since = clock();
  /** The person about whom the window was last informed. */
  let signedIn = personal.name();
  let wasDown = false;

  const changed = (): void => parts.notify('alerts.changed', {});

  const show = async (facts: readonly ConsoleFact[]): Promise<void> => {
    const wanted = facts.filter(fact => fact.at >= since && personal.isForDesktop(fact));
    const alerts: DesktopAlert[] = [];
    for (const fact of wanted) {
      const payment =
        fact.payment && parts.log.ok
          ? await parts.log.value.payment(fact.payment.profileId, fact.payment.orderNumber)
          : null;
      alerts.push({ fact, payment });
    }
    const stored = settings.read().settings;
    const { language, locale } = chooseLanguage(stored.language, parts.systemLocale);
    const notice = alertNotice(alerts, {
      settings: stored.notifications,
      quietHours: personal.quietHours(),
      isLocked: session.isLeft(),
      now: clock(),
      profileOf: id => notedProfile(settings, id),
      language: { format: formatterFor(language, locale), locale },
    });
    if (notice) system.showNotification(notice.notification, () => given.deepLinks.open(notice.target));
  };

  const take = async (facts: readonly ConsoleFact[]): Promise<void> => {
    const added = personal.book.add(facts);
    if (added.length === 0) return;
    changed();
    await show(added);
  };

  const isKnown = (kind: ConsoleFact['kind']): boolean =>
    personal.book.facts().some(fact => fact.kind === kind);
  /** A listener that cannot start is tried again at once: only one that fails in two runs is unreachable. */
  const receiverFacts = (now: number): ConsoleFact[] => {
    const isDown = isReceiverDown(settings.read().settings.receiver.enabled, given.receiver());
    const isNews = isDown && wasDown && !isKnown('receiver-unreachable');
    if (!isDown && personal.book.remove(({ kind }) => kind === 'receiver-unreachable')) changed();
    wasDown = isDown;
    if (!isNews) return [];
    return [inConsole(factOfComputer('receiver-unreachable', now, now))];
  };

  /** One alert for several failures in a row. */
  const exportFacts = (now: number): ConsoleFact[] => {
    if (given.hasExportFailed())
      return isKnown('export-failed') ? [] : [inConsole(factOfComputer('export-failed', now, now))];
    if (personal.book.remove(({ kind }) => kind === 'export-failed')) changed();
    return [];
  };

  const find = async (): Promise<void> => {
    const now = clock();
    const name = personal.name();
    const isOther = name !== person;
    if (isOther) {
      person = name;
      since = now;
    }
    const facts = [...receiverFacts(now), ...exportFacts(now)];
    if (parts.log.ok) {
      const log = parts.log.value;
      const overdue = await overdueCallbacks(log, now);
      const still = new Set(overdue.map(({ id }) => id));
      if (personal.book.remove(({ kind, id }) => kind === 'callbacks-overdue' && !still.has(id))) changed();
      const { expiringMinutes } = personal.choices();
      facts.push(...overdue, ...(await expiringLinks(log, name, expiringMinutes, now)));
      if (isOther) facts.push(...(await openAssignments(log, name, now)));
    }
    await take(facts);
  };

  const loop = startLoop(find, {
    everyMs: intervalMs,
    onError: thrown => reportFailure('background', 'Alerts could not be found.', thrown),
  });
  const runSoon = (): void => loop.soon(soonMs);

  const onEvents = (written: readonly Event[]): void => {
    const facts = assignments(written);
    if (facts.length > 0)
      void take(facts).catch(
        (thrown: unknown) => void reportFailure('background', 'An alert could not be shown.', thrown),
      );
  };
  events.on('eventsWritten', (_, written) => onEvents(written));
  events.on('eventsElsewhere', (_, written) => onEvents(written));
  events.on('statePublished', () => {
    personal.forgetOthers();
    if (given.hasExportFailed() !== isKnown('export-failed')) runSoon();
    if (personal.name() === signedIn) return;
    signedIn = personal.name();
    changed();
    runSoon();
  });

  /** A fact as the window shows it; null if it is over. */
  const shown = async (fact: ConsoleFact): Promise<Alert | null> => {
    const { id, kind, at, by, expiresAt } = fact;
    const alert = { id, kind, at, by, expiresAt, seen: personal.hasSeen(id) };
    if (fact.payment === null) return { ...alert, payment: null };
    const { profileId, orderNumber } = fact.payment;
    const payment = parts.log.ok ? await parts.log.value.payment(profileId, orderNumber) : null;
    if (!payment) return null;
    // Another link, a payment or a withdrawal ends it.
    const isExpiring =
      payment.link?.expiresAt === expiresAt && payment.linkUsable && endsWithLink(payment.state);
    if (kind === 'link-expiring' && !isExpiring) return null;
    const { checkedAt } = payment;
    const head = headOf(rowOf(payment), clock());
    const needsAttention = outcomeOf(payment.state) === kind && changeOf[head.kind] === 'attention';
    const { amount, currency } = needsAttention ? head.money : payment;
    const label = needsAttention ? head.label : null;
    const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, clock());
    const customer = ownCustomer(payment)?.name ?? null;
    return {
      ...alert,
      payment: { profileId, orderNumber, amount, currency, customer, state, checkedAt, label },
    };
  };

  return {
    run: loop.wake,
    handlers: {
      'alerts.read': async () => {
        const alerts: Alert[] = [];
        for (const fact of personal.book.facts()) {
          if (alerts.length === maxShownAlerts) break;
          const alert = personal.isShown(fact) ? await shown(fact) : null;
          if (alert) alerts.push(alert);
        }
        return ok({ alerts });
      },
      'alerts.markSeen': async ({ ids }) => {
        if (personal.markSeen(ids)) changed();
        return ok({});
      },
      'alerts.choose': async choices => {
        personal.choose(choices);
        changed();
        runSoon();
        return ok(await given.publish());
      },
    },
    needsSettings: true,
    start: runSoon,
    stop: loop.close,
  };
};
