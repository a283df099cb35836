import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openPaymentLog } from '../../../main/payment-log/list/open-payment-log.ts';
import { LogFailure } from '../../../main/payment-log/log-failures.ts';
import { callback } from '../../../tools/evidence/evidence.ts';

/**
 * A console on a disk that fails at times. Each line of input is a command: `write N` stores N callbacks one after
 * another, `read FROM N` reads the events of N orders. It prints each order that was acknowledged, or how many events
 * it has, or the code of the refusal; then `done`.
 */

const [file = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const opened = await openPaymentLog({ file, writer: 'console-1' });
if (!opened.ok) {
  say(opened.error.code);
  process.exit(3);
}
const log = opened.value;
const order = (number: number): string => `D-${number}`;

let next = 0;
const write = async (): Promise<string> => {
  const orderNumber = order(next++);
  const text = { order_number: orderNumber, order_description: 'x'.repeat(1_000) };
  const written = await log.append([callback(next, 'sale', 'success', text, undefined, { orderNumber })]);
  return written.ok ? `stored ${orderNumber}` : written.error.code;
};
const read = async (number: number): Promise<string> => {
  try {
    return `found ${(await log.events('sandbox', order(number))).length}`;
  } catch (thrown) {
    return thrown instanceof LogFailure ? thrown.error.code : String(thrown);
  }
};

say('done');
for await (const line of createInterface({ input: process.stdin })) {
  const [command, first = 0, count = 0] = line.split(' ').map((part, at) => (at === 0 ? part : Number(part)));
  if (command === 'write') for (let at = 0; at < Number(first); at += 1) say(await write());
  if (command === 'read') for (let at = 0; at < Number(count); at += 1) say(await read(Number(first) + at));
  say('done');
}
