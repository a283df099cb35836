import { settingsSections, type SettingsSection } from '../shared/settings/sections.ts';
import type { LookUpKey } from '../shared/payments/evidence.ts';
import { lookUpOutcomes, type LookUpOutcome } from '../shared/look-ups/bulk-look-up.ts';
import { readPeriod, type Period } from '../shared/reports/periods.ts';
import { withoutAddresses } from '../shared/search-query/pasted-text.ts';
import { reviewLists, type ReviewList } from '../shared/review/review.ts';
import { reconciliationCauses, type ReconciliationCause } from '../shared/reports/reconcile.ts';

/** The current screen, kept in the address's hash: navigation never loads anything. */
export const views = ['all', 'today', 'open', 'unpaid-today'] as const;
export type View = (typeof views)[number];

/** The tabs of the callbacks screen. */
export const callbacksTabs = ['inspect', 'inbox', 'receiver'] as const;
export type CallbacksTab = (typeof callbacksTabs)[number];

export type Route =
  | { screen: 'new' }
  /** With search words only these filter the list; without any, the view does. */
  | { screen: 'payments'; view: View; words: string }
  | { screen: 'payment'; profileId: string; orderNumber: string }
  /** The customer of a payment: personal data is never part of an address. */
  | { screen: 'customer'; profileId: string; orderNumber: string }
  | { screen: 'look-up'; by: LookUpKey['by']; value: string }
  /** `list`: one of the review page; absent = what needs action, or the list of the cause. */
  | { screen: 'reconciliation'; cause: ReconciliationCause | null; list?: ReviewList }
  | { screen: 'bulk-look-up'; outcome: LookUpOutcome }
  /** Without a tab: the inspector. */
  | { screen: 'callbacks'; tab?: CallbacksTab }
  /** The currency is null until one is chosen. */
  | { screen: 'overview'; period: Period; currency: string | null }
  /** The month as `2026-11`; null: the usual one. */
  | { screen: 'month-end'; month: string | null }
  | { screen: 'handover-note' }
  | { screen: 'settings'; section: SettingsSection; id: string | null }
  | { screen: 'sandbox' };

const oneOf = <T extends string>(values: readonly T[], text: string | undefined, otherwise: T): T =>
  values.find(value => value === text) ?? otherwise;

const decoded = (part: string | undefined): string => {
  try {
    return decodeURIComponent(part ?? '');
  } catch {
    return '';
  }
};

const listIn = (name: string | null): { list?: ReviewList } => {
  const list = reviewLists.find(one => one === name);
  return list === undefined ? {} : { list };
};

/** The overview's initial route: the last thirty days. */
export const overviewRoute: Route = { screen: 'overview', period: '30', currency: null };

/** Reads a location hash; an unknown one is the form for a new payment, the first screen. */
export const readRoute = (hash: string): Route => {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [screen, first, second] = path.split('/');
  const asked = new URLSearchParams(query);
  switch (screen) {
    case 'payments':
      // The address of a view that is part of the review page now.
      if (first === 'attention') return { screen: 'reconciliation', cause: null };
      return {
        screen,
        view: oneOf(views, first, 'all'),
        words: asked.get('words') ?? '',
      };
    case 'payment':
    case 'customer':
      return first && second
        ? { screen, profileId: decoded(first), orderNumber: decoded(second) }
        : { screen: 'payments', view: 'all', words: '' };
    case 'look-up':
      return {
        screen,
        by: oneOf(['payment-id', 'order-number'] as const, asked.get('by') ?? '', 'order-number'),
        value: asked.get('value') ?? '',
      };
    case 'settings':
      return {
        screen,
        section: oneOf(settingsSections, first, 'profiles'),
        id: second ? decoded(second) : null,
      };
    case 'reconciliation':
      return {
        screen,
        cause: reconciliationCauses.find(cause => cause === first) ?? null,
        ...listIn(asked.get('list')),
      };
    case 'bulk-look-up':
      return { screen, outcome: oneOf(lookUpOutcomes, first, 'paid-now') };
    case 'overview':
      return { screen, period: readPeriod(decoded(first)) ?? '30', currency: asked.get('currency') || null };
    case 'callbacks': {
      const tab = callbacksTabs.find(one => one === first);
      return tab === undefined ? { screen } : { screen, tab };
    }
    case 'month-end':
      return { screen, month: /^20\d\d-(?:0[1-9]|1[0-2])$/.exec(first ?? '')?.[0] ?? null };
    case 'handover-note':
    case 'sandbox':
      return { screen };
    default:
      return { screen: 'new' };
  }
};

/** The hash of a route; `readRoute(hrefOf(route))` is the same route. */
export const hrefOf = (route: Route): string => {
  switch (route.screen) {
    case 'payments': {
      const asked = new URLSearchParams();
      // A pasted payment link is a credential.
      const words = withoutAddresses(route.words);
      if (words) asked.set('words', words);
      return `#/payments/${route.view}${asked.size > 0 ? `?${asked}` : ''}`;
    }
    case 'payment':
    case 'customer':
      return `#/${route.screen}/${encodeURIComponent(route.profileId)}/${encodeURIComponent(route.orderNumber)}`;
    case 'look-up':
      return `#/look-up${route.value ? `?${new URLSearchParams({ by: route.by, value: route.value })}` : ''}`;
    case 'settings':
      return `#/settings/${route.section}${route.id ? `/${encodeURIComponent(route.id)}` : ''}`;
    case 'reconciliation':
      return `#/reconciliation${route.cause ? `/${route.cause}` : ''}${route.list ? `?list=${route.list}` : ''}`;
    case 'bulk-look-up':
      return `#/bulk-look-up/${route.outcome}`;
    case 'overview': {
      const asked = route.currency ? `?${new URLSearchParams({ currency: route.currency })}` : '';
      return `#/overview/${route.period}${asked}`;
    }
    case 'month-end':
      return `#/month-end${route.month ? `/${route.month}` : ''}`;
    case 'callbacks':
      return `#/callbacks${route.tab ? `/${route.tab}` : ''}`;
    default:
      return `#/${route.screen}`;
  }
};
