import type { CheckStep, Handlers } from '../../../shared/contract/contract.ts';
import type { CredentialHealth } from '../../../shared/settings/credential-health.ts';
import { ok } from '../../../shared/errors.ts';
import { msg, quoted } from '../../../shared/messages/message.ts';
import type { CallbackFields } from '../../../shared/payments/evidence.ts';
import { verifyFields } from '../../callbacks/verify-callback.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { findProfile } from './find-profile.ts';
import type { CredentialCache } from './credential-cache.ts';
import type { GatewayRequestEvent, RecentGatewayActivity } from '../../payment-log/answers.ts';

type RequestFailure = NonNullable<CredentialHealth['lastFailure']>;

const noActivity: RecentGatewayActivity = {
  lastSuccess: null,
  lastLookUp: null,
  lastFailure: null,
  verified: null,
  invalid: null,
  scanned: 0,
};

const requestSource = (kind: GatewayRequestEvent['kind']): RequestFailure['by'] =>
  kind === 'status.observed' ? 'look-up' : kind.startsWith('operation.') ? 'operation' : 'session';

const describeFailure = (event: RecentGatewayActivity['lastFailure']): CredentialHealth['lastFailure'] => {
  if (event === null || event.kind === 'session.accepted' || event.kind === 'operation.answered') return null;
  const { code, message } =
    event.kind === 'status.observed' ? (event.body.problem ?? { code: null, message: '' }) : event.body;
  return { at: event.happenedAt, by: requestSource(event.kind), code, description: quoted(message) };
};

const later = <T extends { at: number }>(one: T | null, other: T | null): T | null =>
  one === null || (other !== null && other.at > one.at) ? other : one;

/** The state of each profile's credentials, from this run's connection checks and the payment log. */
export const createCredentialHealth = (parts: AppDependencies, passwords: CredentialCache) => {
  const checks = new Map<string, { at: number; steps: readonly CheckStep[]; isProven: boolean }>();

  const lastGoodCheck = (id: string): CredentialHealth['lastSuccess'] => {
    const check = checks.get(id);
    return check?.isProven ? { at: check.at, by: 'check' } : null;
  };
  const lastFailedCheck = (id: string): CredentialHealth['lastFailure'] => {
    const check = checks.get(id);
    const step = check?.steps.find(({ outcome }) => outcome === 'bad');
    return check && step
      ? {
          at: check.at,
          by: 'check',
          code: null,
          description: msg('connection.failed', { title: step.title, meaning: step.meaning }),
        }
      : null;
  };

  const lastCheck = (id: string): CredentialHealth['checked'] => {
    const check = checks.get(id);
    for (const outcome of ['bad', 'warning', 'good'] as const) {
      const step = check?.steps.findLast(one => one.outcome === outcome);
      if (check && step) return { at: check.at, outcome, description: step.title };
    }
    return null;
  };

  /** Another profile whose password matches a callback. */
  const findMatchingProfile = async (
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
      const profile = findProfile(parts.settings, id);
      if (!profile.ok) return profile;
      const { lastSuccess, lastLookUp, lastFailure, verified, invalid, scanned } = parts.log.ok
        ? await parts.log.value.recentGatewayActivity(id)
        : noActivity;
      return ok({
        lastSuccess: later(
          lastSuccess && { at: lastSuccess.happenedAt, by: requestSource(lastSuccess.kind) },
          lastGoodCheck(id),
        ),
        lastFailure: later(describeFailure(lastFailure), lastFailedCheck(id)),
        lookedUpAt: lastLookUp?.happenedAt ?? null,
        verifiedAt: verified?.happenedAt ?? null,
        invalid: invalid && {
          at: invalid.happenedAt,
          fits: await findMatchingProfile(invalid.body.fields, id),
        },
        checked: lastCheck(id),
        scanned,
      });
    },
  };

  return {
    handlers,
    /** Stores the result of a connection check, for this run. */
    checked: (id: string, steps: readonly CheckStep[], isProven: boolean): void => {
      checks.set(id, { at: parts.clock(), steps, isProven });
    },
  };
};
