import { open, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { codeOf, fail, ok } from '../../../shared/errors.ts';
import { chooseLanguage, msg } from '../../../shared/messages/message.ts';
import { paymentAt } from '../../../shared/payment-reducer/state-at.ts';
import { timeZoneOf } from '../../../shared/settings/merchant.ts';
import { replaceFile, temporaryName, unwritableFile } from '../../files/replace-file.ts';
import { planSegments, type Dossier, type DossierSegment } from '../../export/dossier.ts';
import { dossierPage } from '../../export/dossier-page.ts';
import type { ChainEnd } from '../../payment-log/answers.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { Team } from '../../team/team.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import { findPayment } from '../payments/payment-detail.ts';
import { maskEvent } from '../payments/mask-event.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { printedMerchant, type FinishedFiles } from './report-setup.ts';

/** The ends of all chains: in a team, those of other installations as the shared log has them now. */
const endsOf = async (log: PaymentLog, team: Team): Promise<readonly ChainEnd[]> => {
  const own = await log.chainEnds();
  const shared = team.isConnected() ? await team.shared()?.chainEnds() : undefined;
  const others = shared?.ok ? shared.value : [];
  return [...own, ...others.filter(({ writer }) => !own.some(end => end.writer === writer))];
};

/** Attempts in a team, a second apart: the end of another console's chain arrives here after it is in the shared log. */
const maxAttempts = 4;

/**
 * An order's events, connected to signed heads: the daily ones, and one signed now for later events. `proven`: each event
 * is connected to one.
 */
const proofOf = async (
  { team, settings }: AppDependencies,
  log: PaymentLog,
  heads: HeadSigner,
  profileId: string,
  orderNumber: string,
): Promise<Pick<Dossier, 'events' | 'segments'> & { proven: boolean }> => {
  const events = await log.proof(profileId, orderNumber);
  const now = await heads.signEnds(await endsOf(log, team));
  const signed = await heads.readAll(settings.read().sharedLog?.logId ?? null);
  const plan = planSegments(events, [...signed, ...(now.ok ? [now.value] : [])]);
  for (let attempt = 1; ; attempt += 1) {
    const segments: DossierSegment[] = [];
    for (const { writer, first, last, head } of plan) {
      const path = await log.proofPath(profileId, orderNumber, writer, first, last);
      if (path) segments.push({ ...path, head });
    }
    const proven = events.every(({ writer, writerSeq }) =>
      segments.some(one => one.writer === writer && one.first <= writerSeq && writerSeq <= one.last),
    );
    if (proven || !team.isConnected() || attempt === maxAttempts) return { events, segments, proven };
    await wait(1_000);
  }
};

/** The JSON file next to a document. */
const jsonBeside = (file: string): string => `${file.replace(/\.pdf$/i, '')}.json`;

/**
 * Whether the JSON file may be written: the dialog confirmed replacing the document only, so another program's file
 * beside it must stay. Throws file system errors.
 */
const isFreeOrDossier = async (file: string): Promise<boolean> => {
  const found = await open(file, 'r').catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  });
  if (found === null) return true;
  try {
    const { buffer, bytesRead } = await found.read(Buffer.alloc(100), 0, 100, 0);
    return /^\{\s*"format": "counterfoil-dossier-/.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await found.close();
  }
};

/** Writes a document and its JSON; the document, which users look for, last. Throws file system errors. */
const writeBoth = async (file: string, pdf: Uint8Array, json: string): Promise<void> => {
  const files = [
    { name: jsonBeside(file), text: json },
    { name: file, text: pdf },
  ].map(one => ({ ...one, part: temporaryName(one.name) }));
  try {
    for (const { part, text } of files) await writeFile(part, text, { flag: 'wx', mode: 0o600, flush: true });
    for (const { part, name } of files) await replaceFile(part, name);
  } finally {
    for (const { part } of files) await rm(part, { force: true });
  }
};

/** The request that writes a dossier: everything about one payment, and its proof. */
export const createDossierHandlers = (
  parts: AppDependencies,
  heads: HeadSigner,
  finished: Pick<FinishedFiles, 'finishProven'>,
): Pick<Handlers, 'payments.dossier'> => ({
  'payments.dossier': async ({ profileId, orderNumber }) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const found = await findPayment(log, profileId, orderNumber);
    if (!found.ok) return found;
    const named = orderNumber.replaceAll(/[^\w.-]+/g, '_').slice(0, 60);
    const chosen = await chooseSaveFile(parts, `dossier-${named}.pdf`, pdf => [jsonBeside(pdf)]);
    if (!chosen.ok) return chosen;
    const file = chosen.value;
    if (file === null) return ok({ file, proven: false });
    try {
      const name = jsonBeside(file);
      if (!(await isFreeOrDossier(name)))
        return fail('file.unwritable', msg('dossier.other-file', { name: basename(name) }), {
          hint: msg('dossier.other-file.hint'),
        });
    } catch (thrown) {
      return unwritableFile(codeOf(thrown));
    }
    const { link, ...payment } = found.value;
    const createdAt = parts.clock();
    const { state, linkUsable } = paymentAt({ ...payment, expiresAt: link?.expiresAt ?? null }, createdAt);
    const { events, segments, proven } = await proofOf(parts, log, heads, profileId, orderNumber);
    const profile = parts.settings.profile(profileId);
    const { language } = parts.settings.read().settings;
    const { logo, ...merchant } = printedMerchant(parts, profileId);
    const dossier: Dossier = {
      format: 'counterfoil-dossier-1',
      createdAt,
      createdBy: parts.requester.name(),
      merchant: {
        ...merchant,
        profile: profile?.name ?? profileId,
        kind: profile?.kind ?? null,
      },
      payment: { ...payment, state, linkUsable },
      shown: (await log.events(profileId, orderNumber))
        .map(maskEvent)
        // The link is a bearer credential: the gateway's answer with it stays in the log.
        .map(event =>
          event.kind === 'session.accepted'
            ? { ...event, body: { ...event.body, link: '', answer: { ...event.body.answer, body: '' } } }
            : event,
        ),
      events,
      segments,
    };
    try {
      const page = dossierPage(
        dossier,
        chooseLanguage(language, parts.systemLocale),
        timeZoneOf(profile),
        logo,
      );
      const pdf = await parts.system.printToPdf(page);
      await writeBoth(file, pdf, `${JSON.stringify(dossier, null, 1)}\n`);
    } catch (thrown) {
      return unwritableFile(codeOf(thrown));
    }
    finished.finishProven(file);
    return ok({ file, proven });
  },
});
