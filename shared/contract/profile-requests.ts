import * as z from 'zod';
import { operationKinds } from '../operations/operation-kinds.ts';
import { messageSchema } from '../messages/message.schema.ts';
import { credentialHealthSchema } from '../settings/credential-health.ts';
import { betterSettingSchema, checkedFields } from '../settings/connection-check.ts';
import { profileDraftSchema, profileViewSchema } from '../settings/profile.ts';
import { defineRequest, emptySchema, profileId } from './define-request.ts';

const checkStepSchema = z.object({
  step: z.enum(['address', 'name', 'connect', 'tls', 'proxy', 'clock', 'link', 'status']),
  outcome: z.enum(['good', 'warning', 'bad', 'skipped']),
  title: messageSchema,
  meaning: messageSchema,
  todo: messageSchema.nullable(),
});
export type CheckStep = z.infer<typeof checkStepSchema>;

const dryRunSchema = z.object({
  name: z.enum(['session', 'status-by-payment', 'status-by-order', ...operationKinds, 'callback']),
  /** Null for messages from the gateway. */
  method: z.enum(['GET', 'HEAD', 'POST']).nullable(),
  address: z.string().nullable(),
  /** The exact bytes, the hash masked. */
  body: z.string().nullable(),
  /** The exact string that is hashed, the password masked. */
  signed: z.string(),
  documented: z.boolean(),
  section: z.string(),
});
export type DryRun = z.infer<typeof dryRunSchema>;

/** Requests about merchant profiles. */
export const profileRequests = {
  'profiles.save': defineRequest(
    'Add a profile (id null) or change one; a password is stored in the keychain and never returned.',
    { right: 'profiles', effect: 'write', recorded: 'required', fixedByPolicy: true },
    z.object({
      id: profileId.nullable(),
      profile: profileDraftSchema,
      password: z.string().min(1).max(1024).nullable(),
      /** Keep the password only in memory, if there is no keychain. */
      thisRunOnly: z.boolean().default(false),
    }),
    profileViewSchema,
  ),
  'profiles.remove': defineRequest(
    'Remove a profile and its password; its payments stay.',
    { right: 'profiles', effect: 'write', recorded: 'required', fixedByPolicy: true },
    z.object({ id: profileId }),
    emptySchema,
  ),
  'profiles.saveReturnPages': defineRequest(
    'Save two neutral pages for customers without a shop page, where the user chooses; no files if they cancelled.',
    { right: 'profiles', effect: 'write', recorded: 'no' },
    z.object({ merchant: z.string().max(120) }),
    z.object({ files: z.array(z.string()) }),
  ),
  'profiles.dryRun': defineRequest(
    'The requests that a profile would send for a sample order, with the input of each hash; sends nothing.',
    { right: 'profiles', effect: 'none' },
    z.object({ profile: profileDraftSchema }),
    z.object({ requests: z.array(dryRunSchema) }),
  ),
  'profiles.check': defineRequest(
    'Connection check up to the first step that fails: each step with its meaning and what to do. It proves key and password: by a link that it makes and withdraws, or, for a live profile, by a status request that is repeated with a wrong password. `better`: a setting that works in place of the profile’s; `suspects`: the fields that may be wrong.',
    { right: 'profiles', effect: 'write', recorded: 'no' },
    z.object({ id: profileId }),
    z.object({
      steps: z.array(checkStepSchema),
      isProven: z.boolean(),
      better: betterSettingSchema.nullable(),
      suspects: z.array(z.enum(checkedFields)),
    }),
  ),
  'profiles.probeOperations': defineRequest(
    'Whether the gateway has the operations: sends a void of a made-up payment, which moves no money. `exists` is unknown if the response shows neither.',
    { right: 'profiles', effect: 'write', recorded: 'no' },
    z.object({ id: profileId }),
    z.object({
      exists: z.enum(['yes', 'no', 'unknown']),
      /** Null without a response. */
      httpStatus: z.int().nullable(),
      /** What the gateway wrote, or why there is no response, at most one sentence; null if there is nothing to add. */
      problem: messageSchema.nullable(),
    }),
  ),
  'profiles.health': defineRequest(
    "Whether a profile's credentials work: the last accepted and the last failed request, by the payment log and this run's connection checks.",
    { right: 'everyone', effect: 'none' },
    z.object({ id: profileId }),
    credentialHealthSchema,
  ),
} as const;
