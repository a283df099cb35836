import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flagValues } from '../../../shared/payments/flag-values.ts';
import type { Language } from '../../../shared/messages/message.ts';
import type { Flag } from '../../../shared/payments/payment.ts';
import { paymentStates } from '../../../shared/payments/payment-kinds.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { asEvent } from '../../../tools/evidence/evidence.ts';
import { attemptHistories } from '../../../tools/evidence/incomplete-payments.ts';

/** The names of the two sides of a difference, on the payment's card and in the reconciliation queue. */

const languages = ['en', 'de'] as const;
const stored = [
  ...paymentStates.map(String),
  'ours',
  'theirs',
  'field',
  'state',
  'callback',
  'verdict',
  'invalid',
  'no-hash',
  'no-password',
];
/** Lines that show a stored code. What the gateway sent is shown as sent, marked as code. */
const untranslated = (flags: readonly Flag[], language: Language): string[] =>
  flags.flatMap(flag =>
    flagValues(flag).flatMap(({ label, value, isCode }) =>
      (isCode ? [label] : [label, value]).map(formatterFor(language)).filter(text => stored.includes(text)),
    ),
  );
const linesOf = (flag: Flag, language: Language) => {
  const format = formatterFor(language);
  return flagValues(flag).map(({ label, value }) => `${format(label)}: ${format(value)}`);
};

describe.each(languages)('in %s', language => {
  test('no payment in the reconciliation queue shows a field or a state as a stored code', () => {
    for (const [cause, history] of Object.entries(attemptHistories)) {
      const { flags } = reducePayment(history.map(asEvent));
      expect({ cause, untranslated: untranslated(flags, language) }).toEqual({ cause, untranslated: [] });
    }
  });

  test('no other evidence shows a field or a state as a stored code', () => {
    fc.assert(
      fc.property(evidence, events => {
        expect(untranslated(reducePayment(events).flags, language)).toEqual([]);
      }),
    );
  });
});

test('a callback and a look-up that disagree are each shown with name and state in words', () => {
  const { flags } = reducePayment(attemptHistories['sources-disagree'].map(asEvent));
  const [flag] = flags.filter(({ kind }) => kind === 'sources-disagree');
  if (!flag) throw new Error('It is not flagged.');
  expect(linesOf(flag, 'en')).toEqual(['Callback: Paid', 'Status check: Declined']);
  expect(linesOf(flag, 'de')).toEqual(['Callback: Bezahlt', 'Statusabfrage: Abgelehnt']);
});
