import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { quoted } from '../../../shared/messages/message.ts';
import type { CertificateFacts } from '../../../shared/contract/contract.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import { createAddressLimits, senderBehind } from '../../pacing/address-limits.ts';
import type { Receiver, ReceiverOptions } from '../../callbacks/receiver.ts';
import { startReceiver } from '../../callbacks/start-receiver.ts';
import { openQuarantine, reverifyCallbacks } from '../../callbacks/store/store-callback.ts';
import { startReverifying } from '../../callbacks/store/reverify-later.ts';
import { freeBytes } from '../../files/free-bytes.ts';
import { removeLeftovers } from '../../files/remove-leftovers.ts';
import { replacementOf } from '../../payment-log/sqlite/files/replace-log.ts';
import { openPaymentLog } from '../../payment-log/list/open-payment-log.ts';
import type { SharedLogSettings } from '../../payment-log/postgres/connection-settings.ts';
import { isReachable } from '../../team/ship.ts';
import { startAlerting, type Alerting } from './start-alerting.ts';
import type { IntakeConfig } from '../config/intake-config.ts';
import type { Secrets } from '../config/secrets.ts';
import { startConfirming } from './confirm.ts';
import { startControl } from './control.ts';
import { startDuties } from './duties.ts';
import { startAdminServer, type IntakeHealth } from './intake-health.ts';
import { installationOf, journalFile } from './installation.ts';
import type { IntakeLog } from './intake-log.ts';
import { createMetrics } from './metrics.ts';
import { returnPages } from './return-pages.ts';
import { openSharing } from './sharing.ts';
import { createStore } from './store.ts';

/** Free space, bytes, below which the next callback might not be stored. */
const minFreeBytes = 4 * 1024 * 1024;
/** How long the last events may take to the shared log at the end; the rest follows at the next start. */
const maxShippingAtEndMs = 10_000;

export type Intake = {
  port: number;
  adminPort: number;
  health(): Promise<IntakeHealth>;
  /** Uses other passwords from now on, verifies earlier callbacks with them, and reads the certificate again. */
  renewSecrets(secrets: Secrets): Promise<void>;
  /** Runs the daily duties now. */
  daily(): Promise<void>;
  /** Ends without losing a callback: not ready, then no new connections, then the last events, then the files. */
  drain(): Promise<void>;
};

type Started = {
  config: IntakeConfig;
  secrets: Secrets;
  log: IntakeLog;
  version: string;
  /** The shared log that the journal is shipped to; null: the journal alone. */
  database: SharedLogSettings | null;
  clock: () => number;
};

type Certificate = { tls: NonNullable<ReceiverOptions['tls']>; facts: CertificateFacts };

const readCertificate = async (config: IntakeConfig, now: number): Promise<Result<Certificate | null>> => {
  const { tls } = config.listen;
  if (tls === null) return ok(null);
  const pems = await readPems(tls);
  if (!pems.ok) return pems;
  const facts = certificateFacts(pems.value, now);
  return facts.ok
    ? ok({ tls: { key: pems.value.key, cert: pems.value.certificate }, facts: facts.value })
    : facts;
};

/**
 * Starts an intake: journal, shipping, listener, health and duties. Errors: those of the journal, of the listener and
 * of the certificate; `internal` for the state folder and the admin port.
 */
export const startIntake = async (given: Started): Promise<Result<Intake>> => {
  const { config, log, clock } = given;
  const startedAt = clock();
  const file = journalFile(config.state);
  let { secrets } = given;
  let certificate = await readCertificate(config, clock());
  if (!certificate.ok) return certificate;

  let writer: string;
  try {
    writer = installationOf(config.state);
  } catch (thrown) {
    return fail('internal', quoted(thrown instanceof Error ? thrown.message : 'unknown'));
  }
  let journalProblem: AppError | null = null;
  const opened = await openPaymentLog({
    file,
    writer,
    hasList: false,
    onStateError: error => {
      if (error !== null && journalProblem === null)
        log.error('The journal cannot be written.', { code: error.code });
      if (error === null && journalProblem !== null) log.info('The journal can be written again.');
      journalProblem = error;
    },
  });
  if (!opened.ok) return opened;
  const journal = opened.value;
  void removeLeftovers(config.state, basename(replacementOf(file)));
  const closing: (() => Promise<unknown> | void)[] = [() => journal.close()];
  const closeAll = async (): Promise<void> => {
    for (const close of closing.splice(0).toReversed()) await close();
  };

  try {
    const quarantine = openQuarantine(
      join(config.state, 'quarantine.json'),
      () => config.quarantine,
      clock,
      () => log.warn('The quarantine is full: unverified callbacks are answered 503.'),
    );
    closing.push(() => quarantine.close());
    const opening =
      given.database === null
        ? null
        : openSharing(given.database, { journal, log, clock, isKeeper: config.keeper });
    if (opening && !opening.ok) {
      await closeAll();
      return opening;
    }
    const sharing = opening?.value ?? null;
    if (sharing) closing.push(() => sharing.close());
    const shipping = sharing?.shipping ?? null;
    const addressLimits = createAddressLimits();
    const confirming =
      sharing && config.confirmPaid
        ? startConfirming({
            journal,
            people: sharing.shared.people,
            gateways: new Map(config.profiles.flatMap(({ id, gateway }) => (gateway ? [[id, gateway]] : []))),
            passwords: () => secrets.passwords,
            log,
            clock,
          })
        : null;
    if (confirming) closing.push(() => confirming.close());

    let draining = false;
    let receiver: Receiver | null = null;
    let alerting: Alerting | null = null;
    const metrics = createMetrics(() => health());
    let lastEvent = (await journal.chainEnds()).find(end => end.writer === writer)?.seq ?? 0;
    const firstEnd = lastEvent;
    journal.onChange((_, events) => {
      lastEvent = Math.max(lastEvent, events.at(-1)?.writerSeq ?? 0);
    });
    const store = createStore({
      config,
      passwords: () => secrets.passwords,
      journal,
      chainEnd: () => lastEvent,
      quarantine,
      shipping,
      metrics,
      addressLimits,
    });
    const duties = startDuties({
      config,
      logFile: file,
      journal,
      hasFailed: () => journalProblem !== null,
      log,
      metrics,
      clock,
    });
    closing.push(() => duties.stop());

    const health = async (): Promise<IntakeHealth> => {
      const now = clock();
      const standing = shipping?.standing();
      const free = await freeBytes(file);
      const counted = quarantine.state();
      const verified = duties.verification();
      const works = journalProblem === null && (free === null || free >= minFreeBytes);
      const isAnswered = works && (!config.strict || (standing !== undefined && isReachable(standing)));
      return {
        ready: isAnswered && receiver !== null && !draining,
        draining,
        version: given.version,
        uptimeSeconds: Math.round((now - startedAt) / 1_000),
        listening: receiver !== null,
        journal: {
          works,
          problem: journalProblem?.code ?? (works ? null : 'log.full'),
          events: lastEvent,
        },
        shared: standing
          ? {
              state: standing.state,
              since: new Date(standing.since).toISOString(),
              problem: standing.problem?.code ?? null,
              waitingEvents: standing.unshipped.events,
              oldestWaitingSeconds: Math.max(
                0,
                Math.round((now - (standing.unshipped.oldest ?? now)) / 1_000),
              ),
              keeper: sharing?.keeper().state ?? 'off',
              keeperProblem: sharing?.keeper().problem ?? null,
            }
          : null,
        otherServers: confirming && [...confirming.otherServers()],
        alerts: alerting?.state() ?? null,
        quarantine: { callbacks: counted.callbacks, limit: counted.maxCallbacks, full: counted.full },
        freeBytes: free,
        certificateUntil:
          certificate.ok && certificate.value
            ? new Date(certificate.value.facts.validTo).toISOString()
            : null,
        verification: verified && { ...verified, at: new Date(verified.at).toISOString() },
      };
    };

    const admin = await startAdminServer(config.admin, health, () => metrics.text());
    closing.push(() => admin.close());
    const control = await startControl(config.state, async erasure => {
      const erased = await (sharing?.erasures ?? journal).erase(erasure);
      if (!erased.ok) {
        const { code, details } = erased.error;
        log.error('Personal data was not erased.', { code, cause: String(details?.['cause'] ?? '') });
        throw new Error(code);
      }
      return erased.value.payments;
    });
    closing.push(() => control.close());

    const started = await startReceiver({
      clock,
      host: config.listen.host,
      port: config.listen.port,
      routes: new Map(config.profiles.map(({ id, callbackPath }) => [callbackPath, id])),
      pages: returnPages(config),
      store,
      senderOf: senderBehind(config.listen.trustedProxies),
      addressLimits,
      onRefused: reason => metrics.countRefusal(reason),
      ...(certificate.value ? { tls: certificate.value.tls } : {}),
      limits: { connections: config.listen.connections, perAddress: config.listen.connectionsPerAddress },
    });
    if (!started.ok) {
      await closeAll();
      return started;
    }
    const listener = started.value;
    receiver = listener;
    closing.push(() => listener.close());
    if (config.alerts.webhook !== null) {
      const current = startAlerting({
        config: config.alerts,
        state: config.state,
        profileIds: config.profiles.map(({ id }) => id),
        journal,
        chainEnd: firstEnd,
        shared: sharing?.shared ?? null,
        health,
        secret: () => secrets.webhook,
        log,
        clock,
      });
      alerting = current;
      closing.push(() => current.close());
    }
    const reverifying = startReverifying(async id => {
      const profile = config.profiles.find(one => one.id === id);
      const password = secrets.passwords.get(id);
      if (!profile || password === undefined) return ok(undefined);
      const candidate = { profileId: id, password, digest: profile.digest };
      return reverifyCallbacks(candidate, { log: journal, quarantine }, clock());
    });
    closing.push(() => reverifying.close());
    let drained: Promise<void> | null = null;

    const drain = async (): Promise<void> => {
      draining = true;
      log.info('Draining.');
      await wait(config.drainMs);
      await listener.close();
      receiver = null;
      if (shipping && isReachable(shipping.standing())) await shipping.shipped(lastEvent, maxShippingAtEndMs);
      await closeAll();
      log.info('Ended.', { events: lastEvent, waiting: shipping?.standing().unshipped.events ?? 0 });
    };

    return ok({
      port: listener.port,
      adminPort: admin.port,
      health,
      daily: async () => {
        await duties.daily();
        await sharing?.keep();
      },
      renewSecrets: async next => {
        const { passwords } = next;
        const changed = config.profiles.filter(({ id }) => passwords.get(id) !== secrets.passwords.get(id));
        secrets = next;
        const renewed = await readCertificate(config, clock());
        if (!renewed.ok)
          log.error('The certificate cannot be used; the earlier one stays.', {
            reason: inEnglish(renewed.error.message),
          });
        else if (renewed.value === null || listener.renewCertificate(renewed.value.tls))
          certificate = renewed;
        for (const { id } of changed) await reverifying.add(id);
        log.info('Secrets were read again.', { changed: changed.length });
      },
      drain: () => (drained ??= drain()),
    });
  } catch (thrown) {
    await closeAll();
    return fail('internal', quoted(thrown instanceof Error ? thrown.message : 'unknown'));
  }
};
