import { writeSync } from 'node:fs';
import { createOpenStatement } from '../../main/app/statements/open-statement.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { AppError } from '../../shared/errors.ts';

/** Opens a statement, prints when it begins to import it, and imports it; the test kills it. */

const [logFile = '', statement = '', profileId = ''] = process.argv.slice(2);
const valueOf = <T>(result: { ok: true; value: T } | { ok: false; error: AppError }): T => {
  if (!result.ok) throw new Error(inEnglish(result.error.message));
  return result.value;
};

const log = valueOf(await openPaymentLog({ file: logFile, writer: 'child' }));
const opened = createOpenStatement({
  requester: { person: () => null, name: () => 'anna', refusalIfGone: () => null },
  clock: Date.now,
});
valueOf(await opened.open(log, profileId, statement, 'UTC'));
writeSync(1, 'importing\n');
valueOf(await opened.keep(log));
writeSync(1, 'imported\n');
// Until it is killed.
setInterval(() => undefined, 1_000);
