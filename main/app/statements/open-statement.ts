import type { StatementPreview } from '../../../shared/contract/statement-requests.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Mapping } from '../../../shared/statements/mapping.schema.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { startStatementThread, type StatementThread } from '../../statements/statement-thread.ts';
import type { Preview } from '../../statements/statement-worker.ts';
import { createEventHeader } from '../payments/event-header.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { readMovements } from './month-movements.ts';
import { bookName, linesName, readBook } from './statement-book.ts';

type Opened = { thread: StatementThread; profileId: string; preview: Preview; mapping: Mapping };

/** The file that is open before it is imported: one at a time. Closing it leaves nothing. */
export const createOpenStatement = (parts: Pick<AppDependencies, 'requester' | 'clock'>) => {
  const header = createEventHeader(parts);
  let opened: Opened | null = null;

  const close = (): void => {
    opened?.thread.close();
    opened = null;
  };

  const shown = async (
    log: PaymentLog,
    { preview, mapping, profileId }: Opened,
  ): Promise<StatementPreview> => {
    const { sha256, sender: _sender, ...rest } = preview;
    const { statements } = await readBook(log, profileId);
    return { ...rest, mapping, isKnown: statements.some(one => one.sha256 === sha256) };
  };

  return {
    close,
    /** Reads a file. Errors: why it is refused. */
    open: async (
      log: PaymentLog,
      profileId: string,
      path: string,
      zone: string,
    ): Promise<Result<StatementPreview>> => {
      close();
      const thread = startStatementThread();
      const stop = <T extends { ok: false }>(failed: T): T => {
        thread.close();
        return failed;
      };
      const file = await thread.run('open', path, zone);
      if (!file.ok) return stop(file);
      const { first, last } = file.value;
      const movements = await readMovements(
        log,
        profileId,
        first === null ? 0 : Date.parse(first),
        Math.max(parts.clock() + 1, last === null ? 0 : Date.parse(last)),
        zone,
      );
      let preview = await thread.run('preview', null, movements);
      if (!preview.ok) return stop(preview);
      // What a person decided about the sender's last file.
      const { sender } = preview.value;
      const remembered = (await readBook(log, profileId)).statements.findLast(
        one => one.sender === sender,
      )?.mapping;
      if (remembered) preview = await thread.run('preview', remembered, null);
      if (!preview.ok) return stop(preview);
      opened = { thread, profileId, preview: preview.value, mapping: remembered ?? { columns: {} } };
      return ok(await shown(log, opened));
    },
    /** Reads it again with a mapping. Errors: why it is refused. */
    preview: async (log: PaymentLog, mapping: Mapping): Promise<Result<StatementPreview>> => {
      if (opened === null) return fail('input.invalid', msg('month-end.none-open'));
      const preview = await opened.thread.run('preview', mapping, null);
      if (!preview.ok) return preview;
      opened = { ...opened, preview: preview.value, mapping };
      return ok(await shown(log, opened));
    },
    /** Records it in one write. Returns the month of most of its days. Errors: as `append`, `input.invalid`. */
    keep: async (log: PaymentLog): Promise<Result<{ month: string }>> => {
      if (opened === null) return fail('input.invalid', msg('month-end.none-open'));
      const { thread, profileId, preview, mapping } = opened;
      if (preview.questions.length > 0) return fail('input.invalid', msg('month-end.undecided'));
      const { statements } = await readBook(log, profileId);
      if (statements.some(({ sha256 }) => sha256 === preview.sha256))
        return fail('input.invalid', msg('month-end.imported-already', { file: preview.name }));
      const { period } = preview;
      if (period === null) return fail('input.invalid', msg('month-end.no-days'));
      const packed = await thread.run('pack');
      if (!packed.ok) return packed;
      const statement = crypto.randomUUID();
      const linesOf = (lines: string, part: number): EventDraft => ({
        ...header(linesName(statement), null, null),
        kind: 'statement.recorded',
        body: { record: 'lines', statement, part, lines },
      });
      const imported: EventDraft = {
        ...header(bookName(profileId), null, null),
        kind: 'statement.recorded',
        body: {
          record: 'imported',
          statement,
          name: preview.name.slice(0, 255),
          sha256: preview.sha256,
          format: preview.format,
          sender: preview.sender,
          mapping,
          lines: preview.lines,
          notRead: packed.value.notRead.length,
          unread: packed.value.notRead.slice(0, 1_000),
          period,
        },
      };
      // The statement counts from its last event on: without it there are only lines that nothing names.
      const written = await log.append([...packed.value.parts.map(linesOf), imported]);
      if (!written.ok) return written;
      close();
      return ok({ month: middleOf(period.first, period.last).slice(0, 7) });
    },
  };
};

const middleOf = (first: string, last: string): string =>
  new Date((Date.parse(first) + Date.parse(last)) / 2).toISOString().slice(0, 10);
