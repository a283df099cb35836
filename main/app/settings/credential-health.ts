import type { CheckStep, Handlers } from '../../../shared/contract/index.ts';
import type { CredentialHealth } from '../../../shared/settings/credential-health.ts';
import { fail, ok } from '../../../shared/errors.ts';
import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { verifyFields } from '../../callbacks/verify-callback.ts';
import type { LastCalls } from '../../payment-log/query/recent-gateway-activity.ts';
import type { DeskParts } from '../app-context.ts';
import type { Passwords } from './credential-cache.ts';

type Call = NonNullable<CredentialHealth['bad']>;

const noCalls: LastCalls = { good: null, bad: null, verified: null, refuted: null, looked: 0 };

const byOf = (kind: string): Call['by'] => (kind === 'status.observed' ? 'look-up' : 'session');

const badOf = (event: LastCalls['bad']): CredentialHealth['bad'] => {
  if (event === null || event.kind === 'session.accepted') return null;
  const { code, message } =
    event.kind === 'status.observed' ? (event.body.problem ?? { code: null, message: '' }) : event.body;
  return { at: event.happenedAt, by: byOf(event.kind), code, says: message };
};

const later = <T extends { at: number }>(one: T | null, other: T | null): T | null =>
  one === null || (other !== null && other.at > one.at) ? other : one;

/** What connection checks of this run found, and what the log holds, told for each profile's credentials. */
export const credentialHealth = (parts: DeskParts, passwords: Passwords) => {
  const checks = new Map<string, { at: number; steps: readonly CheckStep[] }>();

  const checkedGood = (id: string): CredentialHealth['good'] => {
    const check = checks.get(id);
    const signed = check?.steps.some(({ step, outcome }) => step === 'status' && outcome === 'good');
    return check && signed ? { at: check.at, by: 'check' } : null;
  };
  const checkedBad = (id: string): CredentialHealth['bad'] => {
    const check = checks.get(id);
    const step = check?.steps.find(({ outcome }) => outcome === 'bad');
    return check && step
      ? { at: check.at, by: 'check', code: null, says: `${step.title}: ${step.meaning}` }
      : null;
  };

  const lastCheck = (id: string): CredentialHealth['checked'] => {
    const check = checks.get(id);
    for (const outcome of ['bad', 'warning', 'good'] as const) {
      const step = check?.steps.findLast(one => one.outcome === outcome);
      if (check && step) return { at: check.at, outcome, says: step.title };
    }
    return null;
  };

  /** Another profile whose password a callback fits. */
  const fitting = async (
    fields: CallbackFields,
    than: string,
  ): Promise<{ name: string; kind: 'sandbox' | 'test' | 'live' } | null> => {
    for (const { id, name, kind, digest } of parts.settings.read().profiles) {
      if (id === than) continue;
      const password = await passwords.of(id);
      if (!password.ok) continue;
      const { verdict } = verifyFields(fields, { profileId: id, password: password.value, digest });
      if (verdict === 'verified') return { name, kind };
    }
    return null;
  };

  const handlers: Pick<Handlers, 'profiles.health'> = {
    'profiles.health': async ({ id }) => {
      if (!parts.settings.profile(id))
        return fail('profile.missing', 'This merchant profile is not on this PC any more.');
      const { good, bad, verified, refuted, looked } = parts.log.ok
        ? await parts.log.value.lastCalls(id)
        : noCalls;
      return ok({
        good: later(good && { at: good.happenedAt, by: byOf(good.kind) }, checkedGood(id)),
        bad: later(badOf(bad), checkedBad(id)),
        verifiedAt: verified?.happenedAt ?? null,
        refuted: refuted && { at: refuted.happenedAt, fits: await fitting(refuted.body.fields, id) },
        checked: lastCheck(id),
        looked,
      });
    },
  };

  return {
    handlers,
    /** Remembers what a connection check found, for this run. */
    checked: (id: string, steps: readonly CheckStep[]): void => {
      checks.set(id, { at: parts.clock(), steps });
    },
  };
};
