import { writeSync } from 'node:fs';
import { changeKey, removeReplaced } from '../../../main/payment-log/sqlite/change-key.ts';
import { logFileKind } from '../../../main/payment-log/sqlite/key/log-key.ts';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { note } from '../../../tools/evidence/evidence.ts';

/** Encrypts and decrypts a log in turn while it writes to it, and prints what is acknowledged; the test kills it. */

const [file = '', key = '', round = '0'] = process.argv.slice(2);

const open = async (): Promise<PaymentLog> => {
  const opened = await openPaymentLog({ file, key, writer: 'child' });
  if (!opened.ok) {
    writeSync(2, `${opened.error.code} ${JSON.stringify(opened.error.details)}\n`);
    process.exit(3);
  }
  await removeReplaced(file);
  return opened.value;
};

let log = await open();
let reopening: Promise<void> = Promise.resolve();

const write = async (): Promise<void> => {
  for (let turn = 0; ; turn += 1) {
    await reopening;
    const written = await log.append([
      note(turn, `round ${round}, ${turn}`, { orderNumber: `C-${round}-${turn % 7}` }),
    ]);
    if (written.ok)
      for (const { id, orderNumber } of written.value.events) writeSync(1, `${id} ${orderNumber}\n`);
  }
};

const change = async (): Promise<void> => {
  for (;;) {
    const isEncrypted = logFileKind(file).kind === 'encrypted';
    const changed = await changeKey({
      log: { file, key: isEncrypted ? key : null },
      newKey: isEncrypted ? null : key,
      whileClosed: async work => {
        const { promise, resolve } = Promise.withResolvers<void>();
        reopening = promise;
        await log.close();
        try {
          return await work();
        } finally {
          log = await open();
          resolve();
        }
      },
      holdErasures: work => work(),
      onCopied: () => undefined,
      onVerified: () => undefined,
    });
    if (!changed.ok) writeSync(2, `${changed.error.code} ${JSON.stringify(changed.error)}\n`);
    writeSync(1, `changed ${logFileKind(file).kind}\n`);
  }
};

writeSync(1, 'writing\n');
await Promise.all([write(), change()]);
