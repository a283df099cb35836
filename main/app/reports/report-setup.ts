import { basename } from 'node:path';
import { endOfMonth, startOfMonth } from '@internationalized/date';
import { dayAt } from '../../../shared/days.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import { chooseLanguage, msg } from '../../../shared/messages/message.ts';
import { merchantNameOf, timeZoneOf } from '../../../shared/settings/merchant.ts';
import type { Merchant } from '../../../shared/settings/profile.ts';
import { missingOfOthers } from '../../../shared/team/missing-of-others.ts';
import type { ReportFacts } from '../../export/about.ts';
import type { Period } from '../../../shared/reports/payment-books.ts';
import { createReportContext, type ReportContext } from '../../export/report-context.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import type { System } from '../common/system.ts';

/** The one place where every export, statement and dossier ends. */
export type FinishedFiles = ReturnType<typeof createFinishedFiles>;

export const createFinishedFiles = (
  system: Pick<System, 'showInFolder'>,
  heads: Pick<HeadSigner, 'signFile'>,
) => {
  /** The renderer sends no path. */
  let last: string | null = null;
  const finishProven = (file: string): void => {
    last = file;
  };
  return {
    /**
     * Signs a head beside the file, `<file>.head.json`, and remembers the file for `showLast`. Returns whether it was
     * signed.
     */
    finish: async (log: PaymentLog, file: string): Promise<{ signed: boolean }> => {
      finishProven(file);
      return { signed: (await heads.signFile(log, file)).ok };
    },
    /** As `finish`, for a file that contains its own proof. */
    finishProven,
    /** Shows the last file in its folder; false if there is none. */
    showLast: (): boolean => {
      if (last === null) return false;
      system.showInFolder(last);
      return true;
    },
  };
};

/** The name of the signed head beside a file. */
export const headFileOf = (file: string): string => `${file}.head.json`;

/** The language, zone and time of a report of one profile, or of all. */
export const reportContext = (
  { settings, systemLocale, clock }: AppDependencies,
  profileId: string | null,
  readers: ReportContext['readers'],
  period: Period | null,
): ReportContext => {
  const profile = profileId === null ? null : settings.profile(profileId);
  return createReportContext({
    ...chooseLanguage(settings.read().settings.language, systemLocale),
    readers,
    zone: timeZoneOf(profile),
    now: clock(),
    period,
    profileName: id => settings.profile(id)?.name ?? id,
  });
};

/** The merchant of a profile as printed. */
export const printedMerchant = ({ settings }: AppDependencies, profileId: string): Merchant => {
  const profile = settings.profile(profileId);
  return profile
    ? { ...profile.merchant, name: merchantNameOf(profile) }
    : { name: profileId, address: [], phone: '', logo: '' };
};

/** The facts of a report that will be written into `file`. */
export const reportFacts = async (
  parts: AppDependencies,
  log: PaymentLog,
  profileId: string | null,
  file: string,
  rest: Pick<ReportFacts, 'contents' | 'filter'>,
): Promise<ReportFacts> => {
  const profile = profileId === null ? null : parts.settings.profile(profileId);
  const standing = parts.team.standing();
  return {
    ...rest,
    missing: standing ? missingOfOthers(standing) : [],
    merchant: profileId === null ? null : printedMerchant(parts, profileId),
    profile:
      profile == null
        ? msg('export.about.profile.all')
        : msg('profile.with-kind', { profile: profile.name, kind: msg(`kind.${profile.kind}`) }),
    createdBy: parts.requester.name(),
    ends: (await log.chainEnds()).filter(({ seq }) => seq > 0),
    headFile: basename(headFileOf(file)),
  };
};

/** A period in a file name: `2026-10` for a month, otherwise its first and last day. */
export const periodName = ({ from, until }: Period, zone: string): string => {
  const first = dayAt(from, zone);
  const last = dayAt(until - 1, zone);
  if (first.compare(startOfMonth(first)) === 0 && last.compare(endOfMonth(first)) === 0)
    return first.toString().slice(0, 7);
  return first.compare(last) === 0 ? first.toString() : [first, last].join('-to-');
};

/**
 * Asks where to save a report, writes it, and signs a head beside it; `write` gets the file and what it says about
 * itself. If the person cancels, the file is null. Errors: those of `chooseSaveFile` and of `write`.
 */
export const saveReport = async <T extends object>(
  parts: AppDependencies,
  files: FinishedFiles,
  log: PaymentLog,
  {
    name,
    profileId,
    ...rest
  }: { name: string; profileId: string | null } & Pick<ReportFacts, 'contents' | 'filter'>,
  cancelled: T,
  write: (file: string, facts: ReportFacts) => Promise<Result<T>>,
): Promise<Result<T & { file: string | null; signed: boolean }>> => {
  const chosen = await chooseSaveFile(parts, name, file => [headFileOf(file)]);
  if (!chosen.ok) return chosen;
  const file = chosen.value;
  if (file === null) return ok({ ...cancelled, file, signed: false });
  const written = await write(file, await reportFacts(parts, log, profileId, file, rest));
  if (!written.ok) return written;
  const { signed } = await files.finish(log, file);
  return ok({ ...written.value, file, signed });
};
