import { errorCodes, type ErrorCode } from '../../shared/errors.ts';
import type { Health, HealthCheck, HealthState } from '../../shared/health/health.ts';
import { msg, quoted, type Message } from '../../shared/messages/message.ts';
import { missingOfOthers } from '../../shared/team/missing-of-others.ts';
import type { StatusFacts } from './status-facts.ts';

/** Checks the facts of an installation: what needs attention, and what to do. */

const dayMs = 86_400_000;
/** Age of the last copy or verification from which it needs attention: a day is missed at weekends. */
const maxAgeMs = 4 * dayMs;
/** Age of the list of others' payments from which it needs attention: a backlog is copied in less. */
const maxBehindMs = 60_000;
/** Remaining time of a certificate from which it needs attention. */
const minCertificateMs = 14 * dayMs;
/** Free space from which the disk needs attention, and is broken, bytes. */
const lowBytes = 1_000_000_000;
const minBytes = 100_000_000;

type Check = Omit<HealthCheck, 'profileId'>;

const check = (
  name: HealthCheck['name'],
  state: HealthState,
  finding: Message,
  todo: Message | null = null,
): Check => ({ name, state, finding, todo });

const isErrorCode = (code: string): code is ErrorCode => errorCodes.some(one => one === code);
const inWords = (code: string): Message => (isErrorCode(code) ? msg(`error.${code}`) : quoted(code));
const hintFor = (code: string): Message | null => (isErrorCode(code) ? msg(`hint.${code}`) : null);

/** A small file is no "0 MB". */
const megabytes = (bytes: number): number =>
  bytes < 10_000_000 ? Math.max(0.1, Math.round(bytes / 100_000) / 10) : Math.round(bytes / 1_000_000);

const assessLog = ({ paymentLog }: StatusFacts): Check => {
  const { problem, bytes, payments, isRecordedAhead } = paymentLog;
  const name = 'payment-log';
  if (problem === 'missing') return check(name, 'broken', msg('health.log.missing'), msg('health.log.todo'));
  if (problem === 'damaged' || problem === 'foreign')
    return check(name, 'broken', msg('health.log.damaged'), msg('health.log.todo'));
  if (problem !== null) return check(name, 'broken', inWords(problem), hintFor(problem));
  if (isRecordedAhead) return check(name, 'attention', msg('health.log.ahead'), msg('health.log.ahead.todo'));
  const size = megabytes(bytes ?? 0);
  return payments === null
    ? check(name, 'good', msg('health.log.closed', { megabytes: size }))
    : check(name, 'good', msg('health.log.good', { count: payments, megabytes: size }));
};

const assessLoss = ({ loss }: StatusFacts): Check[] =>
  loss === null
    ? []
    : [
        check(
          'loss',
          'broken',
          loss.from === 0
            ? msg('health.loss.unknown', { count: loss.missing, until: loss.until })
            : msg('health.loss', { count: loss.missing, from: loss.from, until: loss.until }),
          msg('health.loss.todo'),
        ),
      ];

const assessVerification = ({ verification, at, paymentLog }: StatusFacts): Check => {
  const name = 'verification';
  if (verification === null)
    return paymentLog.payments === 0
      ? check(name, 'good', msg('health.nothing-yet'))
      : check(name, 'unknown', msg('health.verification.none'), msg('health.verification.todo'));
  if (verification.problems > 0)
    return check(
      name,
      'broken',
      msg('health.verification.problems', { count: verification.problems }),
      msg('health.verification.problems.todo'),
    );
  return check(
    name,
    at - verification.at > maxAgeMs ? 'attention' : 'good',
    msg('health.verification.good', { at: verification.at, count: verification.events }),
    at - verification.at > maxAgeMs ? msg('health.verification.todo') : null,
  );
};

const assessBackup = ({ backup, at, paymentLog }: StatusFacts): Check => {
  const name = 'backup';
  if (backup === null)
    return paymentLog.payments === 0
      ? check(name, 'good', msg('health.nothing-yet'))
      : check(name, 'attention', msg('data.copies.none'), msg('health.backup.todo'));
  const isOld = at - backup.at > maxAgeMs;
  return check(
    name,
    isOld ? 'attention' : 'good',
    msg('health.backup.good', { at: backup.at, megabytes: megabytes(backup.bytes) }),
    isOld ? msg('health.backup.todo') : null,
  );
};

const assessExport = ({ scheduledExport }: StatusFacts): Check[] => {
  if (scheduledExport === null) return [];
  const { problem, lastRunAt: at } = scheduledExport;
  const name = 'scheduled-export';
  if (problem !== null)
    return [
      check(
        name,
        'attention',
        msg('health.scheduled-export.failed', { problem: inWords(problem) }),
        msg('health.scheduled-export.todo'),
      ),
    ];
  return [
    check(
      name,
      'good',
      at === null ? msg('health.scheduled-export.none') : msg('health.scheduled-export.good', { at }),
    ),
  ];
};

const assessReceiver = ({ receiver, at }: StatusFacts, isRunning: boolean): Check[] => {
  const { isEnabled, isListening, problem, lastCallbackAt, lastRefusal, isQuarantineFull, certificateUntil } =
    receiver;
  const name = 'receiver';
  if (!isEnabled) return [check(name, 'good', msg('health.receiver.off'))];
  if (!isRunning) return [check(name, 'unknown', msg('health.receiver.unknown'))];
  const last =
    lastCallbackAt === null
      ? msg('health.receiver.no-callback')
      : msg('health.receiver.last', { at: lastCallbackAt });
  return [
    isListening
      ? check(name, 'good', last)
      : check(
          name,
          'broken',
          problem === null ? msg('health.receiver.closed') : inWords(problem),
          (problem === null ? null : hintFor(problem)) ?? msg('health.receiver.todo'),
        ),
    ...(lastRefusal !== null && lastRefusal.lastAt > (lastCallbackAt ?? 0)
      ? [
          check(
            'refused-delivery',
            'attention',
            msg('health.refused-delivery', {
              at: lastRefusal.lastAt,
              reason: msg(`receiver.refused.${lastRefusal.reason}`),
            }),
            msg('health.refused-delivery.todo'),
          ),
        ]
      : []),
    ...(isQuarantineFull
      ? [
          check(
            'quarantine',
            'attention',
            msg('error.receiver.quarantine-full'),
            msg('health.quarantine.todo'),
          ),
        ]
      : []),
    ...(certificateUntil !== null && certificateUntil - at < minCertificateMs
      ? [
          check(
            'certificate',
            certificateUntil < at ? 'broken' : 'attention',
            msg('health.certificate', { at: certificateUntil }),
            msg('health.certificate.todo'),
          ),
        ]
      : []),
  ];
};

const assessProfile = (profile: StatusFacts['profiles'][number]): Check => {
  const { password, lastSuccessAt, lastFailureAt, lastFailure } = profile;
  const name = 'profile';
  if (password === 'missing')
    return check(
      name,
      'attention',
      msg('health.profile.no-password'),
      msg('health.profile.no-password.todo'),
    );
  if (lastFailureAt !== null && lastFailureAt > (lastSuccessAt ?? 0))
    return check(
      name,
      'attention',
      msg('health.profile.failed', {
        at: lastFailureAt,
        problem: lastFailure === null ? msg('health.profile.unknown') : inWords(lastFailure),
      }),
      msg('health.profile.failed.todo'),
    );
  return lastSuccessAt === null
    ? check(name, 'unknown', msg('health.profile.unused'))
    : check(name, 'good', msg('health.profile.good', { at: lastSuccessAt }));
};

const assessSettings = ({ settings }: StatusFacts): Check => {
  const { problem, unreadParts } = settings;
  const name = 'settings';
  if (problem !== null)
    return check(
      name,
      problem === 'settings.unwritable' ? 'attention' : 'broken',
      inWords(problem),
      hintFor(problem),
    );
  return unreadParts > 0
    ? check(
        name,
        'attention',
        msg('health.settings.unread', { count: unreadParts }),
        msg('health.settings.todo'),
      )
    : check(name, 'good', msg('health.settings.good'));
};

const assessPolicy = ({ policy: { state, problems, withFirstPin, withoutPin } }: StatusFacts): Check => {
  if (withoutPin > 0)
    return check(
      'policy',
      'attention',
      msg('health.policy.no-first-pin', { count: withoutPin }),
      msg('health.policy.no-first-pin.todo'),
    );
  if (state === 'applied' && withFirstPin > 0)
    return check('policy', 'good', msg('health.policy.first-pin', { count: withFirstPin }));
  if (state === 'none' || state === 'applied') return check('policy', 'good', msg(`health.policy.${state}`));
  if (state === 'missing')
    return check('policy', 'attention', msg('health.policy.missing'), msg('health.policy.missing.todo'));
  return check(
    'policy',
    state === 'restricted' ? 'broken' : 'attention',
    msg('health.policy.faulty', { paths: problems.filter(path => path !== '').join(', ') || '–' }),
    msg('health.policy.todo'),
  );
};

const assessSharedLog = ({ sharedLog, at: now }: StatusFacts): Check[] => {
  const name = 'shared-log';
  if (sharedLog === null) return [];
  const { state, since: at, waiting: count, problem, brokenChains, leftOut, others } = sharedLog;
  if (brokenChains > 0)
    return [
      check(
        name,
        'broken',
        msg('health.shared-log.broken', { count: brokenChains }),
        msg('health.shared-log.broken.todo'),
      ),
    ];
  if (leftOut.length > 0)
    return [
      check(
        name,
        'attention',
        msg('health.shared-log.left-out', {
          count: leftOut.reduce((sum, { events }) => sum + events, 0),
          installations: [...new Set(leftOut.map(({ installation }) => installation))].join(', '),
        }),
        msg('health.shared-log.left-out.todo'),
      ),
    ];
  const isBehind = others !== null && !others.isLevel && now - (others.levelAt ?? 0) > maxBehindMs;
  if (isBehind && (state === 'connected' || state === 'catching-up'))
    return missingOfOthers({ others }).map(missing =>
      check(name, 'attention', missing, others.problem === null ? null : hintFor(others.problem)),
    );
  switch (state) {
    case 'connected':
      return [check(name, 'good', msg('health.shared-log.good'))];
    case 'catching-up':
      return [check(name, 'good', msg('health.shared-log.catching-up', { count }))];
    case 'unreachable':
      return [
        check(
          name,
          'attention',
          msg('health.shared-log.unreachable', { at, count }),
          msg('hint.log.unreachable'),
        ),
      ];
    case 'refused':
      return [check(name, 'broken', inWords(problem ?? 'log.denied'), hintFor(problem ?? 'log.denied'))];
    case 'not-running':
      return [check(name, 'unknown', msg('health.shared-log.unknown'))];
  }
};

const assessDisk = ({ freeBytes }: StatusFacts): Check => {
  if (freeBytes === null) return check('disk', 'unknown', msg('health.disk.unknown'));
  const state = freeBytes < minBytes ? 'broken' : freeBytes < lowBytes ? 'attention' : 'good';
  return check(
    'disk',
    state,
    msg('health.disk', { megabytes: megabytes(freeBytes) }),
    state === 'good' ? null : msg('health.disk.todo'),
  );
};

/** Without the demand of a policy, a disk that is not encrypted is neither right nor wrong. */
const assessEncryption = ({ encryption: { disk, isRequired } }: StatusFacts): Check => {
  if (disk === 'on') return check('disk-encryption', 'good', msg('health.encryption.on'));
  return check(
    'disk-encryption',
    isRequired ? 'attention' : 'unknown',
    msg(`health.encryption.${disk}`),
    isRequired ? msg('health.encryption.todo') : null,
  );
};

/** All checks. `isRunning`: whether a console writes these facts now. */
export const assess = (facts: StatusFacts, isRunning: boolean): Health => {
  const keychainState = { available: 'good', unavailable: 'attention', unknown: 'unknown' } as const;
  const checks: Check[] = [
    assessLog(facts),
    ...assessLoss(facts),
    assessVerification(facts),
    ...(facts.dailyTaskProblem === null
      ? []
      : [
          check('daily-tasks', 'attention', inWords(facts.dailyTaskProblem), hintFor(facts.dailyTaskProblem)),
        ]),
    assessBackup(facts),
    ...assessExport(facts),
    ...assessReceiver(facts, isRunning),
    check(
      'keychain',
      keychainState[facts.keychain],
      msg(`health.keychain.${facts.keychain}`),
      facts.keychain === 'unavailable' ? msg('hint.keychain.unavailable') : null,
    ),
    assessSettings(facts),
    assessPolicy(facts),
    ...assessSharedLog(facts),
    assessDisk(facts),
    assessEncryption(facts),
    ...(facts.unsafePlace
      ? [
          check(
            'place',
            'attention',
            msg(`health.place.${facts.unsafePlace.kind}`, { name: facts.unsafePlace.name }),
            msg('health.place.todo'),
          ),
        ]
      : []),
    ...(facts.isSandboxed === false
      ? [check('sandbox', 'attention', msg('health.sandbox.off'), msg('health.sandbox.todo'))]
      : []),
  ];
  return {
    at: facts.at,
    checks: [
      ...checks.map((one): HealthCheck => ({ ...one, profileId: null })),
      ...facts.profiles.map((profile): HealthCheck => ({ ...assessProfile(profile), profileId: profile.id })),
    ],
  };
};
