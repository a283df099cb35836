import * as z from 'zod';
import { languages } from '../../messages/message.ts';
import { defineRequest, profileId } from '../define-request.ts';
import { templateSchema } from '../../payments/template.ts';

/** Requests about payment templates. */
export const templateRequests = {
  'templates.list': defineRequest(
    "A profile's templates for frequent charges, by name.",
    { right: 'everyone', effect: 'none' },
    z.object({ profileId }),
    z.object({ templates: z.array(templateSchema) }),
  ),
  'templates.save': defineRequest(
    'Add a template (id null), change one, or restore a removed one.',
    { right: 'links', effect: 'write', recorded: 'no' },
    templateSchema.extend({ id: z.uuid().nullable() }),
    z.object({ template: templateSchema, templates: z.array(templateSchema) }),
  ),
  'templates.remove': defineRequest(
    'Remove a template; returns the other templates of its profile.',
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({ id: z.uuid() }),
    z.object({ templates: z.array(templateSchema) }),
  ),
} as const;

/** Open forms for a new payment, for each person and profile. */
export const maxDrafts = 9;

/** Longer than any field allows, so that a text that the form refuses is kept as it was typed. */
const text = z.string().max(4096);

/** A form for a new payment as it was typed. A card token is never part of it. */
export const draftSchema = z.object({
  id: z.uuid(),
  /** The key of the request that last sent this form, or will send it. */
  idempotencyKey: z.uuid(),
  amount: text,
  currency: z.string().max(3),
  orderNumber: text,
  /** The order number that the profile's pattern suggested. */
  suggested: text,
  description: text,
  customerName: text,
  customerEmail: text,
  customerPhone: text,
  methods: z.array(z.string().max(64)).max(20).readonly(),
  language: z.enum(languages).nullable(),
  expiryMinutes: z.int().min(1).max(720).nullable(),
  billing: z
    .object({ address: text, zip: text, city: text, state: text, country: text, phone: text })
    .nullable(),
  /** Lines of `name: value`. */
  customData: z.string().max(16_384),
  requestCardToken: z.boolean().nullable(),
  recurring: z.boolean(),
  /** It had a card token, which has to be entered again. */
  hadCardToken: z.boolean(),
});
export type StoredDraft = z.infer<typeof draftSchema>;

/** `restart`: kept on this computer, encrypted. `this-run`: only until Counterfoil ends. */
const kept = z.enum(['restart', 'this-run']);
export type DraftsKept = z.infer<typeof kept>;

/** Requests about the open forms for a new payment. */
export const draftRequests = {
  'drafts.read': defineRequest(
    "The signed-in person's open forms of a profile, in the order of their tabs. One that was not changed for 7 days is dropped.",
    { right: 'links', effect: 'none' },
    z.object({ profileId }),
    z.object({ drafts: z.array(draftSchema), active: z.uuid().nullable(), kept }),
  ),
  'drafts.save': defineRequest(
    "Replace the signed-in person's open forms of a profile. Refused if one contains a card number, or if they are another person's.",
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({
      profileId,
      /** Whose forms they are: a late save must not become the next person's. */
      agentId: z.string().max(64),
      drafts: z.array(draftSchema).max(maxDrafts),
      active: z.uuid().nullable(),
    }),
    z.object({ kept }),
  ),
} as const;
