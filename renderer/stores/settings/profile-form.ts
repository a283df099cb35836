import { type ProfileDraft, type ProfileView, profileDefaults } from '../../../shared/settings/profile.ts';
import { ifUnchanged } from '../../if-unchanged.ts';
import { useKept } from './kept-form.ts';

/** A profile in the form: numbers as text during typing. */
export type ProfileForm = {
  draft: ProfileDraft;
  methods: string;
  connect: string;
  headers: string;
  body: string;
  sessionExpiry: string;
  statusSize: string;
  holdDays: string;
  paidMinutes: string;
};

export const formOf = (profile: ProfileView | null): ProfileForm => {
  const draft: ProfileDraft = profile
    ? draftOf(profile)
    : { ...profileDefaults, name: '', kind: 'test', baseUrl: '', merchantKey: '' };
  return {
    draft,
    methods: draft.methods.join(', '),
    connect: String(draft.timeouts.connect / 1000),
    headers: String(draft.timeouts.headers / 1000),
    body: String(draft.timeouts.body / 1000),
    sessionExpiry: String(draft.extras.sessionExpiry),
    statusSize: String(draft.operations.statusSize),
    holdDays: String(draft.operations.holdDays),
    paidMinutes: String(draft.intentGuard.paidMinutes),
  };
};

/** A stored profile as a draft. */
export const draftOf = ({ id: _id, password: _password, ...draft }: ProfileView): ProfileDraft => draft;

/** Paths of the empty required fields, in the order of the form. `needsPassword`: none is stored or typed. */
export const missingFields = ({ draft, methods }: ProfileForm, needsPassword: boolean): string[] =>
  [
    ['name', draft.name],
    ['baseUrl', draft.baseUrl],
    ['merchantKey', draft.merchantKey],
    ['password', needsPassword ? '' : 'stored'],
    ['orderPattern', draft.orderPattern],
    ['successUrl', draft.successUrl],
    ['cancelUrl', draft.cancelUrl],
    ['methods', methods],
    ['gatewayZone', draft.gatewayZone],
  ].flatMap(([path = '', text = '']) => (text.trim() === '' ? [path] : []));

const whole = (text: string, otherwise: number): number => {
  const number = Number(text.trim());
  return text.trim() !== '' && Number.isFinite(number) ? number : otherwise;
};

/** The lines of an address without the empty ones, which a form keeps while the address is typed. */
const addressLines = (lines: readonly string[]): string[] => lines.map(line => line.trim()).filter(Boolean);

/** The draft as main expects it; seconds become milliseconds. */
export const draftFrom = ({
  draft,
  methods,
  connect,
  headers,
  body,
  sessionExpiry,
  statusSize,
  holdDays,
  paidMinutes,
}: ProfileForm): ProfileDraft => ({
  ...draft,
  name: draft.name.trim(),
  baseUrl: draft.baseUrl.trim(),
  merchantKey: draft.merchantKey.trim(),
  merchant: { ...draft.merchant, address: addressLines(draft.merchant.address) },
  timeZone: draft.timeZone.trim(),
  methods: methods
    .split(/[,\s]+/)
    .map(method => method.trim())
    .filter(Boolean),
  extras: { ...draft.extras, sessionExpiry: Math.round(whole(sessionExpiry, 0)) },
  operations: {
    ...draft.operations,
    statusSize: Math.round(whole(statusSize, 0)),
    holdDays: Math.round(whole(holdDays, 0)),
  },
  intentGuard: { ...draft.intentGuard, paidMinutes: Math.round(whole(paidMinutes, 0)) },
  timeouts: {
    connect: Math.round(whole(connect, 5) * 1000),
    headers: Math.round(whole(headers, 20) * 1000),
    body: Math.round(whole(body, 20) * 1000),
  },
});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is stored now, with each value that was changed from `before` to `typed`. */
const rebased = (stored: unknown, before: unknown, typed: unknown): unknown =>
  isGroup(stored) && isGroup(before) && isGroup(typed)
    ? Object.fromEntries(
        Object.entries(typed).map(([name, value]) => [name, rebased(stored[name], before[name], value)]),
      )
    : isSame(before, typed)
      ? stored
      : typed;

/**
 * The form of a profile on one page: what is stored, which another page or computer may have changed meanwhile, with
 * what was typed and is not saved.
 */
export const useProfileForm = (page: string, profile: ProfileView | null) => {
  const stored = formOf(profile);
  const [typed, setTyped] = useKept<{ before: ProfileForm; now: ProfileForm } | null>(
    `${page} ${profile?.id ?? 'new'}`,
    null,
  );
  const over = (one: typeof typed): ProfileForm =>
    one === null ? stored : (rebased(stored, one.before, one.now) as ProfileForm);
  const form = over(typed);
  return {
    form,
    isChanged: !isSame(form, stored),
    change: (next: (before: ProfileForm) => ProfileForm): void =>
      setTyped(before => ({ before: stored, now: next(over(before)) })),
    /** Ends what was typed until now: it is saved or discarded. */
    settle: (): void => setTyped(ifUnchanged(typed, null)),
  };
};
