import type { VerifyReport } from '../../../shared/contract/index.ts';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import { msg } from '../../../shared/messages/message.ts';
import { placeInWords } from '../../../shared/messages/problem-place.ts';
import { printable } from '../../../shared/messages/printable.ts';

/** The result of a verification for a terminal: one line for each problem, and the sum. */
export const verifyReportLines = (
  { events, payments, problems }: VerifyReport,
  format: FormatMessage,
): string[] =>
  [
    ...problems.map(({ kind, at, message }) => `${kind}: ${format(placeInWords(at))}: ${format(message)}`),
    format(
      problems.length === 0
        ? msg('log-verify.right', { events, payments })
        : msg('log-verify.wrong', { problems: problems.length, events, payments }),
    ),
  ].map(printable);
