import { withPaymentLog, type AppDependencies, type AppEvents } from '../common/app-context.ts';
import type { Feature } from '../common/feature.ts';
import { createActivityLog, type Activity, type ActivityLog } from './activity-log.ts';
import { activityInWords } from '../../../shared/activity-in-words.ts';
import type { ActivityFilter, ActivityRow, Handlers } from '../../../shared/contract/contract.ts';
import { codeOf, ok, type Result } from '../../../shared/errors.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { chooseLanguage, msg } from '../../../shared/messages/message.ts';
import type { EventOf } from '../../../shared/payments/evidence.ts';
import { csvRecord } from '../../export/csv.ts';
import { unwritableFile, writeFileAtomic } from '../../files/replace-file.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { chooseSaveFile, merchantDay } from '../common/choose-save-file.ts';

const pageRows = 1_000;

type ExportedList = { file: string | null; written: number };

const rowOf = ({ id, happenedAt, agent, body }: EventOf<'activity.recorded'>): ActivityRow => ({
  id,
  at: happenedAt,
  agent,
  ...body,
});

const readAll = async (log: PaymentLog, filter: ActivityFilter): Promise<ActivityRow[]> => {
  const rows: ActivityRow[] = [];
  let before: string | null = null;
  do {
    const page = await log.activities(filter, before, pageRows);
    rows.push(...page.events.map(rowOf));
    before = page.earlier;
  } while (before !== null);
  return rows;
};

/** The activity list, in the window and as a file. */
const createActivityHandlers = (
  parts: AppDependencies,
  activityLog: Pick<ActivityLog, 'waiting'>,
): Pick<Handlers, 'activity.list' | 'activity.export'> => ({
  'activity.list': withPaymentLog(parts, async (log, { before, limit, ...filter }) => {
    const { events, earlier } = await log.activities(filter, before, limit);
    return ok({ rows: events.map(rowOf), earlier, waiting: activityLog.waiting() });
  }),
  'activity.export': withPaymentLog(parts, async (log, filter): Promise<Result<ExportedList>> => {
    const chosen = await chooseSaveFile(parts, `activity-${merchantDay(parts)}.csv`);
    if (!chosen.ok) return chosen;
    const file = chosen.value;
    if (file === null) return ok({ file, written: 0 });
    const { language, locale } = chooseLanguage(parts.settings.read().settings.language, parts.systemLocale);
    const format = formatterFor(language, locale);
    const rows = await readAll(log, filter);
    const head = [
      msg('activity.column.time'),
      msg('activity.column.person'),
      msg('activity.column.action'),
      msg('activity.column.details'),
    ];
    const text = [
      csvRecord(head.map(format)),
      ...rows.map(({ at, agent, action, details }) =>
        csvRecord([new Date(at).toISOString(), agent, action, format(activityInWords(action, details))]),
      ),
    ].join('');
    try {
      await writeFileAtomic(file, text);
    } catch (thrown) {
      return unwritableFile(codeOf(thrown));
    }
    return ok({ file, written: rows.length });
  }),
});

type ActivityFeature = Feature<'activity.list' | 'activity.export'> & { log: ActivityLog };

/**
 * The activity list. `completed`: what was done while the payment log was opened; it is recorded, and removed from the
 * list, as soon as the state has changed.
 */
export const createActivityFeature = (
  parts: AppDependencies,
  events: AppEvents,
  completed: Activity[],
): ActivityFeature => {
  const log = createActivityLog(parts);
  const flush = async (): Promise<void> => {
    await log.record(completed.splice(0), 'console');
    await log.flush();
  };
  events.on('stateChanged', () => void flush());
  return { log, handlers: createActivityHandlers(parts, log), start: () => void flush() };
};
