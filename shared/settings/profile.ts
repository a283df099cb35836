import * as z from 'zod';
import {
  digests,
  refundAmounts,
  sessionPaths,
  statusForms,
  uppercasings,
  voidMoments,
} from '../gateway-variants.ts';
import { amountRules } from '../money/wire-amount.ts';
import { isMerchantLogo, maxLogoChars } from './merchant-logo.ts';
import { forEachKind } from '../operations/operation-kinds.ts';

/** Limits for people: currencies with amounts, as `EUR 500.00, JPY 20000`; '' = none. See amount-limits.ts. */
export const operationLimitsSchema = z.object({
  perOperation: z.string().max(1024).default(''),
  perDay: z.string().max(1024).default(''),
  /** From this amount on a second person must agree. */
  secondPersonFrom: z.string().max(1024).default(''),
});
export type OperationLimits = z.infer<typeof operationLimitsSchema>;

/** Operations on payments, which the interface does not show; all off by default (field notes). */
export const operationSettingsSchema = z.object({
  ...forEachKind(() => z.boolean().default(false)),
  voidAllowed: z.enum(voidMoments).default('same-day'),
  sendCurrencyInRecurring: z.boolean().default(false),
  sendCustomerInRecurring: z.boolean().default(false),
  /** Attempts that a status request by order number asks for, sent as `size`; 0 = not sent. */
  statusSize: z.int().min(0).max(100).default(0),
  /** Days after which an authorisation that was not captured lapses; 0 = not known. */
  holdDays: z.int().min(0).max(60).default(7),
  limits: operationLimitsSchema.prefault({}),
});
export type OperationSettings = z.infer<typeof operationSettingsSchema>;

/**
 * A merchant profile: the gateway account of its payments, and the gateway's variants of what the interface does not
 * specify. The password is stored separately, in the operating system's keychain under the profile's id.
 */
export const profileKinds = ['sandbox', 'test', 'live'] as const;
export type ProfileKind = (typeof profileKinds)[number];

/** Optional session fields that the interface does not specify; all off by default (field notes). */
export const sessionExtrasSchema = z.object({
  reqToken: z.boolean().default(false),
  /** Whether a payment may name a saved card, sent as `card_token`. */
  cardToken: z.boolean().default(false),
  recurringInit: z.boolean().default(false),
  scheduleId: z.string().max(255).default(''),
  sendCustomer: z.boolean().default(false),
  /** Minutes, 1 to 720; 0 = not sent, the link is valid for one hour (§3.3). */
  sessionExpiry: z.int().min(0).max(720).default(0),
  expiryUrl: z.string().max(1024).default(''),
  errorUrl: z.string().max(1024).default(''),
  channelId: z.string().max(255).default(''),
  /** A JSON object as text, sent as `billing_address`: country, state, city, address, zip, phone; empty = not sent. */
  billingAddress: z.string().max(4096).default(''),
  /** A JSON object as text, sent as `custom_data`; empty = not sent. */
  customData: z.string().max(4096).default(''),
  /** Sent as `auth: "Y"`: a payment is only authorised, and captured later. Needs the operation capture. */
  auth: z.boolean().default(false),
  /** A JSON object as text, merged into the request's top level; empty = none. */
  extraJson: z.string().max(4096).default(''),
});
export type SessionExtras = z.infer<typeof sessionExtrasSchema>;

/** What customers, accountants and banks read: on slips, statements, dossiers and in messages. All optional. */
export const merchantSchema = z.object({
  /** Empty = the profile's name. */
  name: z.string().trim().max(120),
  /** Lines, in their order. */
  address: z.array(z.string().trim().max(120)).max(6),
  phone: z.string().trim().max(40),
  /** A data URL; empty = none. */
  logo: z.string().max(maxLogoChars).refine(isMerchantLogo).default(''),
});
export type Merchant = z.infer<typeof merchantSchema>;

/** When a link for the same customer and amount needs a confirmation. */
export const intentGuardSchema = z.object({
  isOn: z.boolean().default(true),
  /** Minutes after a payment; 0 = only while an earlier link is open. */
  paidMinutes: z.int().min(0).max(10_080).default(60),
});

export const profileSchema = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  name: z.string().trim().min(1).max(80),
  kind: z.enum(profileKinds),
  /** Scheme, host and optional path prefix, no trailing slash: `https://pay.example`. */
  baseUrl: z.string().min(1).max(1024),
  merchantKey: z.string().trim().min(1).max(255),
  merchant: merchantSchema,
  /** IANA zone of the merchant's books: the days of exports, statements and the overview; '' = this PC's zone. */
  timeZone: z.string().max(64),
  defaultCurrency: z.string().regex(/^[A-Z]{3}$/),
  methods: z.array(z.string().trim().min(1).max(64)).min(1).max(20),
  /** Customer return pages; may contain the placeholder `{order}`. Empty = not set yet: no link can be created. */
  successUrl: z.string().max(1024),
  cancelUrl: z.string().max(1024),
  /** Pattern for generated order numbers: `{yyyy} {mm} {dd} {n}` (n = four random digits or letters). */
  orderPattern: z.string().min(1).max(64),
  sessionPath: z.enum(sessionPaths),
  statusForm: z.enum(statusForms),
  statusByOrder: z.boolean(),
  digest: z.enum(digests),
  requestUppercasing: z.enum(uppercasings),
  /** IANA zone for reading the gateway's zoneless times. */
  gatewayZone: z.string().min(1).max(64),
  /** The wire format of currencies whose ISO 4217 exponent is not 2; null = refused until chosen (§2.2). */
  amountRule: z.enum(amountRules).nullable(),
  /** Currencies with another rule at this gateway, as `JPY two-digits, VND integer`; see amount-rules.ts. */
  amountExceptions: z.string().max(1024).default(''),
  refundAmountInCallback: z.enum(refundAmounts).default('order'),
  extras: sessionExtrasSchema,
  operations: operationSettingsSchema.prefault({}),
  intentGuard: intentGuardSchema.prefault({}),
  /** Milliseconds. */
  timeouts: z.object({
    connect: z.int().min(500).max(60_000),
    headers: z.int().min(500).max(120_000),
    body: z.int().min(500).max(120_000),
  }),
});
export type Profile = z.infer<typeof profileSchema>;

/** Limit of merchant profiles per installation, without the sandbox's. */
export const maxProfiles = 50;

/** The fields that a form may change; the console assigns the id. */
export const profileDraftSchema = profileSchema.omit({ id: true });
export type ProfileDraft = z.infer<typeof profileDraftSchema>;

/** Whether requests would go to another server, or move other money, than those the password was entered for. */
export const needsPasswordAgain = (before: ProfileDraft, draft: ProfileDraft): boolean =>
  before.kind !== draft.kind || URL.parse(before.baseUrl)?.origin !== URL.parse(draft.baseUrl)?.origin;

/** The default of each assumption: from the interface if specified, otherwise from the field notes. */
export const profileDefaults: Omit<ProfileDraft, 'name' | 'kind' | 'baseUrl' | 'merchantKey'> = {
  merchant: { name: '', address: [], phone: '', logo: '' },
  timeZone: '',
  defaultCurrency: 'EUR',
  methods: ['card'],
  successUrl: '',
  cancelUrl: '',
  orderPattern: 'CF-{yyyy}{mm}{dd}-{n}',
  sessionPath: '/api/v1/sessions/',
  statusForm: 'get-json',
  statusByOrder: true,
  digest: 'md5',
  requestUppercasing: 'unicode',
  gatewayZone: 'UTC',
  amountRule: null,
  amountExceptions: '',
  refundAmountInCallback: 'order',
  extras: sessionExtrasSchema.parse({}),
  operations: operationSettingsSchema.parse({}),
  intentGuard: intentGuardSchema.parse({}),
  timeouts: { connect: 5_000, headers: 20_000, body: 20_000 },
};

/** A profile as the renderer sees it: whether a password is stored, never the password. */
export const profileViewSchema = profileSchema.extend({
  password: z.enum(['stored', 'this-run-only', 'missing', 'keychain-unavailable']),
});
export type ProfileView = z.infer<typeof profileViewSchema>;
