import type { EventOf } from '../../../shared/payments/evidence.ts';
import type { RecordOf, StatementRecord } from '../../../shared/statements/statement-record.schema.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/** The evidence about statements of one profile. It belongs to no order: it has separate names in the log. */

/** The name of the records of a profile, and of the lines of one statement. */
export const bookName = (profileId: string): string => `statements:${profileId}`;
export const linesName = (statement: string): string => `statement:${statement}`;

/** A record with who wrote it, and when. */
export type Recorded<K extends StatementRecord['record']> = RecordOf<K> & { agent: string; at: number };

export type StatementBook = {
  /** Those that were not withdrawn, oldest first. */
  statements: readonly Recorded<'imported'>[];
  /** Oldest first. */
  decisions: readonly Recorded<'decided'>[];
  closings: readonly Recorded<'closed'>[];
};

const isOf =
  <K extends StatementRecord['record']>(kind: K) =>
  (record: StatementRecord & { agent: string; at: number }): record is Recorded<K> =>
    record.record === kind;

const recordsOf = (events: readonly EventOf<'statement.recorded'>[]) =>
  events
    .map(({ body, agent, recordedAt }) => ({ ...body, agent, at: recordedAt }))
    .toSorted((one, other) => one.at - other.at);

/** What was recorded about the statements of a profile. */
export const readBook = async (log: PaymentLog, profileId: string): Promise<StatementBook> => {
  const records = recordsOf(await log.statementRecords(bookName(profileId)));
  const decisions = records.filter(isOf('decided'));
  const gone = new Set(
    decisions.flatMap(({ decision, statement }) => (decision === 'withdrawn' ? (statement ?? []) : [])),
  );
  return {
    statements: records.filter(isOf('imported')).filter(({ statement }) => !gone.has(statement)),
    decisions,
    closings: records.filter(isOf('closed')),
  };
};

/** The parts of a statement's lines, in order. */
export const readLines = async (log: PaymentLog, statement: string): Promise<string[]> =>
  recordsOf(await log.statementRecords(linesName(statement)))
    .filter(isOf('lines'))
    .toSorted((one, other) => one.part - other.part)
    .map(({ lines }) => lines);

/** What persons decided about the lines of a statement, by line; null: not the movement that was matched. */
export const tiesOf = ({ decisions }: StatementBook, statement: string): Map<number, string | null> => {
  const ties = new Map<number, string | null>();
  for (const one of decisions) {
    if (one.statement !== statement || one.line === null) continue;
    if (one.decision === 'tied' && one.movement !== null) ties.set(one.line, one.movement);
    else if (one.decision === 'untied') ties.set(one.line, null);
  }
  return ties;
};

/** What an explanation is about: a line of a statement, or a movement. */
export const explainedKey = (of: {
  statement: string | null;
  line: number | null;
  movement: string | null;
}): string => (of.line === null ? `movement ${of.movement}` : `line ${of.statement} ${of.line}`);

/** The last explanation of each; an empty text takes it back. */
export const explanationsOf = ({ decisions }: StatementBook): Map<string, Recorded<'decided'>> => {
  const explained = new Map<string, Recorded<'decided'>>();
  for (const one of decisions) {
    if (one.decision !== 'explained') continue;
    if (one.text === '') explained.delete(explainedKey(one));
    else explained.set(explainedKey(one), one);
  }
  return explained;
};
