import { type ProfileDraft, type ProfileView, profileDefaults } from '../../../shared/settings/profile.ts';

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
