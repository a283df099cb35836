import { expect, test } from 'vitest';
import { summary } from '../../../tools/evidence/evidence-line.ts';

/**
 * The ledger as tables: evidence → state | books | fates | operations | flags. The notation is that of evidence-line.ts; every
 * table is one statement.
 */
const table = (statement: string, rowsOf: string): void => {
  const rows = rowsOf
    .trim()
    .split('\n')
    .map(row => row.trim().split(' → '));
  test.each(rows)(`${statement}: %s`, (line = '', expected) => {
    expect(summary(line)).toBe(expected);
  });
};

// Money that came in

table(
  'a payment is reported by a signed callback, and proven by an answer with "settled" alone',
  `
  sale → paid-unconfirmed | +123.40 | paid reported
  sale =settled → paid-confirmed | +123.40 | paid proven
  =settled → paid-confirmed | +123.40 | paid proven
  =settled sale → paid-confirmed | +123.40 | paid proven
  =pending sale → paid-unconfirmed | +123.40 | paid reported
  sale:waiting sale → paid-unconfirmed | +123.40 | paid reported
  refund =refund → refunded | +123.40 -? ~-? -123.40 | paid proven, refund 123.40 proven
`,
);

table(
  'sources that contradict each other about a payment need attention, and its money stays in the books',
  `
  sale =decline → needs-attention | +123.40 | paid contradicted |  | sources-disagree
  =decline sale → needs-attention | +123.40 | paid contradicted |  | sources-disagree
  sale:fail sale → needs-attention | +123.40 | paid contradicted |  | changed-between-deliveries sources-disagree
  sale:fail sale =decline → needs-attention | +123.40 | paid contradicted |  | changed-between-deliveries sources-disagree
  sale sale:fail → needs-attention | +123.40 | paid contradicted |  | changed-between-deliveries sources-disagree
  =settled sale:fail → needs-attention | +123.40 | paid contradicted |  | sources-disagree
  =settled =decline → needs-attention | +123.40 | paid contradicted |  | source-took-back
  sale =settled =pending → needs-attention | +123.40 | paid contradicted |  | source-took-back
  sale =settled(126.00) → needs-attention | +123.40 | paid contradicted |  | sources-disagree amount-differs
  sale(126.00) =settled → needs-attention | +126.00 | paid contradicted |  | sources-disagree amount-differs
  sale sale(126.00) → needs-attention | +123.40 | paid contradicted |  | amount-differs
  refund:fail =decline → needs-attention |  | refund ? failed |  | sources-disagree
`,
);

table(
  'a settled status ends a contradiction, and its flag stays',
  `
  sale:fail =settled → paid-confirmed | +123.40 | paid proven |  | sources-disagree
  sale:fail sale =settled → paid-confirmed | +123.40 | paid proven |  | changed-between-deliveries sources-disagree
  sale =settled =pending =settled → paid-confirmed | +123.40 | paid proven |  | source-took-back
`,
);

table(
  'a status of a payment in flight after a report is flagged, and denies nothing',
  `
  sale =pending → paid-unconfirmed | +123.40 | paid reported |  | sources-disagree
  capture =pending → paid-unconfirmed | +123.40 | paid reported |  | sources-disagree outside-interface
`,
);

table(
  'another amount or currency than asked for is in the books as it came, flagged',
  `
  sale(126.00) =settled(126.00) → needs-attention | +126.00 | paid proven |  | amount-differs amount-differs
  sale(100.00) =settled(100.00) → needs-attention | +100.00 | paid proven |  | amount-differs amount-differs
  sale(USD) =settled(USD) → needs-attention | +123.40 | paid proven |  | currency-differs currency-differs
  =settled(126.00) → needs-attention | +126.00 | paid proven |  | amount-differs
`,
);

table(
  'an unknown word hides no documented result',
  `
  sale:undefined =settled → paid-confirmed | +123.40 | paid proven |  | outside-interface
  sale:undefined =decline → declined |  |  |  | outside-interface
  sale:undefined sale → paid-unconfirmed | +123.40 | paid reported |  | outside-interface
  recurring =settled → paid-confirmed | +123.40 | paid proven
  recurring sale:fail → declined
  =decline =strange → declined |  |  |  | outside-interface
  =settled =strange → paid-confirmed | +123.40 | paid proven |  | outside-interface
`,
);

table(
  'two attempts that were paid are both in the books',
  `
  sale sale(2nd) → paid-unconfirmed | +123.40 +123.40 | paid reported, paid reported |  | settled-twice
  sale =settled sale(2nd) =settled(2nd) → paid-confirmed | +123.40 +123.40 | paid proven, paid proven |  | settled-twice
`,
);

table(
  'an order is paid twice while something is left of two payments, in any order',
  `
  sale =settled sale(2nd) =settled(2nd) refund!(50.00) >accepted refund → paid-confirmed | +123.40 +123.40 -50.00 | paid proven, paid proven, refund 50.00 reported | refund done | settled-twice
  sale =settled refund!(50.00) >accepted refund sale(2nd) =settled(2nd) → paid-confirmed | +123.40 -50.00 +123.40 | paid proven, refund 50.00 reported, paid proven | refund done | settled-twice
  sale =settled sale(2nd) =settled(2nd) refund → paid-confirmed | +123.40 +123.40 -? | paid proven, paid proven, refund ? reported |  | settled-twice
  sale =settled sale(2nd) =settled(2nd) refund =refund → paid-confirmed | +123.40 +123.40 -? ~-? -123.40 | paid proven, paid proven, refund 123.40 proven
  sale =settled sale(2nd 126.00) =settled(2nd 126.00) → needs-attention | +123.40 +126.00 | paid proven, paid proven |  | amount-differs amount-differs settled-twice
  sale =settled sale(2nd) =settled(2nd) chargeback → chargeback | +123.40 +123.40 -123.40 | paid proven, paid proven, chargeback 123.40 reported
`,
);

table(
  'what was collected is paid with the collected amount',
  `
  capture → paid-unconfirmed | +123.40 | paid reported |  | outside-interface
  capture(100.00) =settled(100.00) → paid-confirmed | +100.00 | paid proven |  | amount-differs amount-differs outside-interface
  =pending capture!(100.00) >accepted capture → paid-unconfirmed | +100.00 | paid reported | capture done | outside-interface
  =pending capture!(100.00) >accepted capture =settled → paid-confirmed | +100.00 | paid proven | capture done | outside-interface
  =pending capture!(100.00) >accepted =settled → paid-confirmed | +100.00 | paid proven | capture done
  =pending capture!(100.00) >accepted =pending → processing |  |  | capture failed
`,
);

table(
  'a retry begins a new try: its result contradicts nothing',
  `
  sale:fail retry! sale → paid-unconfirmed | +123.40 | paid reported | retry done
  sale:fail retry! =settled → paid-confirmed | +123.40 | paid proven | retry done
  sale:fail retry! sale =settled → paid-confirmed | +123.40 | paid proven | retry done
  sale:fail retry! >accepted =decline → declined |  |  | retry failed
`,
);

// Refunds made elsewhere

table(
  'a refund has an unknown amount until something names it',
  `
  sale =settled refund → refund-seen | +123.40 -? | paid proven, refund ? reported
  sale =settled refund =settled → part-refunded | +123.40 -? | paid proven, refund ? reported
  sale =settled refund =refund → refunded | +123.40 -? ~-? -123.40 | paid proven, refund 123.40 proven
  sale =settled refund(status=settled) =settled → part-refunded | +123.40 -? | paid proven, refund ? reported
  sale =settled refund(status=refund) → refunded | +123.40 -123.40 | paid proven, refund 123.40 reported
  sale =settled refund(status=refund) =refund → refunded | +123.40 -123.40 | paid proven, refund 123.40 proven
  sale =settled =refund → refunded | +123.40 -123.40 | paid proven, refund 123.40 proven |  | returned-without-callback
  sale =settled =refund(20.00) → refund-seen | +123.40 -? | paid proven, refund ? reported |  | amount-differs returned-without-callback
  refund → refund-seen | +123.40 -? | paid reported, refund ? reported
`,
);

table(
  'a refund whose amount the callback names is a part until nothing is left',
  `
  sale =settled refund(part 10.00) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 reported
  sale =settled refund(part 10.00) refund(part 113.40) → refunded | +123.40 -10.00 -113.40 | paid proven, refund 10.00 reported, refund 113.40 reported
  sale =settled refund(part 10.00) refund(part 113.40) =refund → refunded | +123.40 -10.00 -113.40 | paid proven, refund 10.00 proven, refund 113.40 proven
  sale =settled refund(part 10.00) =refund → refunded | +123.40 -10.00 -113.40 | paid proven, refund 10.00 proven, refund 113.40 proven
  sale =settled refund refund =refund → refunded | +123.40 -? -? | paid proven, refund ? proven, refund ? proven
`,
);

table(
  'a settled status ten minutes after the report contradicts what leaves nothing',
  `
  sale =settled refund(status=refund) =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, refund 123.40 failed |  | refunds-differ
  sale =settled refund(part 10.00) refund(part 113.40) =settled → part-refunded | +123.40 -10.00 -113.40 ~-113.40 | paid proven, refund 10.00 reported, refund 113.40 failed |  | refunds-differ
`,
);

table(
  'a refund in progress elsewhere is visible, in no book, and ends with its own callback',
  `
  sale =settled refund:waiting → paid-confirmed | +123.40 | paid proven, refund ? in-progress |  | money-in-progress
  sale =settled refund:waiting =settled → paid-confirmed | +123.40 | paid proven, refund ? in-progress |  | money-in-progress
  sale =settled refund:waiting(R1) refund(R1) → refund-seen | +123.40 -? | paid proven, refund ? reported
  sale =settled refund:waiting(R1) refund:fail(R1) → paid-confirmed | +123.40 | paid proven, refund ? failed
  refund:waiting → outcome-unknown |  | refund ? in-progress |  | money-in-progress
`,
);

table(
  'a refund that fails after its success leaves the books with a counter-entry, and a later success enters them, flagged',
  `
  sale =settled refund(R1) refund:fail(R1) → paid-confirmed | +123.40 -? ~-? | paid proven, refund ? failed |  | refunds-differ
  sale =settled refund(part 123.40 R1) refund:fail(part 123.40 R1) =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, refund 123.40 failed |  | refunds-differ
  sale =settled refund:fail(R1) refund(R1) → refund-seen | +123.40 -? | paid proven, refund ? reported |  | refunds-differ
  sale =settled refund refund:fail → refund-seen | +123.40 -? | paid proven, refund ? reported, refund ? failed |  | refunds-differ
  sale refund:fail → paid-unconfirmed | +123.40 | paid reported, refund ? failed
  refund:fail → outcome-unknown |  | refund ? failed
`,
);

table(
  'a settled status never ends what a callback says is being processed',
  `
  sale =settled refund! >accepted refund:waiting =settled → paid-confirmed | +123.40 | paid proven, refund 123.40 in-progress | refund waiting | money-in-progress
  sale =settled refund! >accepted refund:waiting(rrn= date=) =settled → paid-confirmed | +123.40 | paid proven, refund 123.40 in-progress | refund waiting | money-in-progress
  sale =settled refund! >accepted refund:waiting =settled refund → refunded | +123.40 -123.40 | paid proven, refund 123.40 reported | refund done
  sale =settled void! >accepted void:waiting =settled → paid-confirmed | +123.40 | paid proven, void 123.40 in-progress | void waiting | money-in-progress
  sale =settled void:waiting =settled → paid-confirmed | +123.40 | paid proven, void 123.40 in-progress |  | money-in-progress
  sale =settled void:waiting =settled =void → voided | +123.40 -123.40 | paid proven, void 123.40 proven |  | outside-interface
`,
);

// Cancellations made elsewhere

table(
  'a cancellation takes what is left, and only once',
  `
  sale void → voided | +123.40 -123.40 | paid reported, void 123.40 reported
  sale =settled void =void → voided | +123.40 -123.40 | paid proven, void 123.40 proven |  | outside-interface
  sale =settled =void → voided | +123.40 -123.40 | paid proven, void 123.40 proven |  | returned-without-callback outside-interface
  sale =settled =reversal → reversed | +123.40 -123.40 | paid proven, void 123.40 proven |  | returned-without-callback
  sale =settled reversal → reversed | +123.40 -123.40 | paid proven, void 123.40 reported |  | outside-interface
  sale =settled void reversal → voided | +123.40 -123.40 | paid proven, void 123.40 reported |  | outside-interface
  sale =settled void +=settled → voided | +123.40 -123.40 | paid proven, void 123.40 reported
  sale =settled refund(part 20.00) void → voided | +123.40 -20.00 -103.40 | paid proven, refund 20.00 reported, void 103.40 reported
`,
);

table(
  'a settled status ten minutes later contradicts a cancellation',
  `
  sale =settled void =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, void 123.40 failed |  | refunds-differ
  void =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | void 123.40 failed, paid proven |  | refunds-differ
`,
);

table(
  'a cancellation that names another amount is a part of unknown size',
  `
  sale =settled void(20.00) → refund-seen | +123.40 -? | paid proven, void ? reported |  | amount-differs
  sale =settled reversal(20.00) → refund-seen | +123.40 -? | paid proven, void ? reported |  | amount-differs outside-interface
  sale =settled =void(20.00) → refund-seen | +123.40 -? | paid proven, void ? reported |  | amount-differs returned-without-callback outside-interface
`,
);

table(
  'a cancellation of money that was never taken is in no book',
  `
  void → voided |  | void 123.40 reported
  =void → voided |  | void ? proven |  | outside-interface
  3ds void → voided |  | void 123.40 reported
  =pending =reversal → reversed |  | void ? proven
`,
);

// Disputes

table(
  'a dispute takes the whole, also after refunds, and more than came in is flagged',
  `
  sale chargeback → chargeback | +123.40 -123.40 | paid reported, chargeback 123.40 reported
  sale =settled chargeback =chargeback → chargeback | +123.40 -123.40 | paid proven, chargeback 123.40 proven
  sale =settled =chargeback → chargeback | +123.40 -123.40 | paid proven, chargeback 123.40 proven
  =chargeback → chargeback | +123.40 -123.40 | paid proven, chargeback 123.40 proven
  chargeback → chargeback | +123.40 -123.40 | paid reported, chargeback 123.40 reported
  sale =settled refund(status=refund) =refund chargeback → chargeback | +123.40 -123.40 -123.40 | paid proven, refund 123.40 proven, chargeback 123.40 reported |  | returned-twice
  sale =settled refund(part 20.00) chargeback → chargeback | +123.40 -20.00 -123.40 | paid proven, refund 20.00 reported, chargeback 123.40 reported |  | returned-twice
  sale =settled chargeback refund(part 10.00) → chargeback | +123.40 -123.40 -10.00 | paid proven, chargeback 123.40 reported, refund 10.00 reported |  | returned-twice
`,
);

table(
  'a dispute over another amount is a part of unknown size',
  `
  sale =settled chargeback(20.00) → chargeback | +123.40 -? | paid proven, chargeback ? reported |  | amount-differs
  sale =settled =chargeback(20.00) → chargeback | +123.40 -? | paid proven, chargeback ? proven |  | amount-differs
`,
);

table(
  'a dispute that was won goes back into the books',
  `
  sale =settled chargeback =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, chargeback 123.40 won |  | source-took-back
  sale =settled =chargeback =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, chargeback 123.40 won |  | source-took-back
  sale =settled chargeback =chargeback =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, chargeback 123.40 won |  | source-took-back
  sale =settled chargeback by:won → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, chargeback 123.40 won
  sale =settled =chargeback by:won =chargeback → chargeback | +123.40 -123.40 ~-123.40 -123.40 | paid proven, chargeback 123.40 proven |  | source-took-back
`,
);

// Refunds requested here

table(
  'a request without a result is visible, and its answer is no proof',
  `
  sale =settled refund! → paid-confirmed | +123.40 | paid proven, refund 123.40 requested | refund unknown | operation-unknown
  sale =settled refund! >accepted → paid-confirmed | +123.40 | paid proven, refund 123.40 in-progress | refund accepted | money-in-progress
  sale =settled refund! >unanswered → paid-confirmed | +123.40 | paid proven, refund 123.40 requested | refund unknown | operation-unknown
  sale =settled refund! >accepted refund:waiting → paid-confirmed | +123.40 | paid proven, refund 123.40 in-progress | refund waiting | money-in-progress
  sale =settled refund! +>accepted +=settled → paid-confirmed | +123.40 | paid proven, refund 123.40 in-progress | refund accepted | money-in-progress
  sale =settled refund!(10.00) >unanswered =settled → paid-confirmed | +123.40 | paid proven, refund 10.00 requested | refund unknown | operation-unknown
`,
);

table(
  'a refused request moves nothing',
  `
  sale =settled refund! >refused → paid-confirmed | +123.40 | paid proven, refund 123.40 failed | refund refused
  sale =settled refund! >not-sent → paid-confirmed | +123.40 | paid proven | refund not-sent
`,
);

table(
  'a request is done by its callback, in either order with its answer, or by a status for the whole',
  `
  sale =settled refund! >accepted refund → refunded | +123.40 -123.40 | paid proven, refund 123.40 reported | refund done
  sale =settled refund! refund >accepted → refunded | +123.40 -123.40 | paid proven, refund 123.40 reported | refund done
  sale =settled refund! >accepted refund =refund → refunded | +123.40 -123.40 | paid proven, refund 123.40 proven | refund done
  sale =settled refund! >accepted =refund → refunded | +123.40 -123.40 | paid proven, refund 123.40 proven | refund done
  sale =settled refund!(10.00) >accepted refund → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 reported | refund done
  sale =settled refund!(10.00) >accepted refund(part 10.00) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 reported | refund done
  sale =settled refund!(100.00) refund refund!(23.40 2nd) refund → refunded | +123.40 -100.00 -23.40 | paid proven, refund 100.00 reported, refund 23.40 reported | refund done, refund done
`,
);

table(
  'a callback with another order_status, amount or time than the request is another refund',
  `
  sale =settled refund!(10.00) >accepted refund(status=refund) → refunded | +123.40 -123.40 | paid proven, refund 10.00 in-progress, refund 123.40 reported | refund accepted | money-in-progress
  sale =settled refund! >accepted refund(status=settled) → refund-seen | +123.40 -? | paid proven, refund 123.40 in-progress, refund ? reported | refund accepted | money-in-progress
  sale =settled refund!(10.00) >accepted refund(50.00) → refund-seen | +123.40 -? | paid proven, refund 10.00 in-progress, refund ? reported | refund accepted | money-in-progress
  sale =settled refund!(10.00) >accepted refund(part 5.00) → part-refunded | +123.40 -5.00 | paid proven, refund 10.00 in-progress, refund 5.00 reported | refund accepted | money-in-progress
  sale =settled refund +refund!(20.00) → refund-seen | +123.40 -? | paid proven, refund ? reported, refund 20.00 requested | refund unknown | operation-unknown
`,
);

table(
  'a whole request that was reported or accepted fails by a settled status ten minutes later',
  `
  sale =settled refund! >accepted =settled → paid-confirmed | +123.40 | paid proven, refund 123.40 failed | refund failed
  sale =settled refund! >unanswered =settled → paid-confirmed | +123.40 | paid proven, refund 123.40 failed | refund failed
  sale =settled refund! >accepted refund(status=refund) =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, refund 123.40 failed | refund failed | refunds-differ
  sale =settled refund! >accepted refund:fail → paid-confirmed | +123.40 | paid proven, refund 123.40 failed | refund failed
`,
);

table(
  'success and failure of one refund contradict each other, and so does a success after a refusal',
  `
  sale =settled refund! >accepted refund(R1) refund:fail(R1) =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, refund 123.40 failed | refund failed | refunds-differ
  sale =settled refund! >accepted refund:fail(R1) refund(R1) → refunded | +123.40 -123.40 | paid proven, refund 123.40 reported | refund done | refunds-differ
  sale =settled refund! >accepted refund:fail refund → refund-seen | +123.40 -? | paid proven, refund 123.40 failed, refund ? reported | refund failed | refunds-differ
  sale =settled refund! >refused refund → refund-seen | +123.40 -? | paid proven, refund 123.40 failed, refund ? reported | refund refused | refunds-differ
  sale =settled refund! >refused =refund → refunded | +123.40 -123.40 | paid proven, refund 123.40 failed, refund 123.40 proven | refund refused | refunds-differ returned-without-callback
`,
);

table(
  'a part that a callback names contradicts no part of another size',
  `
  sale =settled refund!(10.00) >accepted refund(part 10.00) refund:fail(part 70.00) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 reported, refund 70.00 failed | refund done
  sale =settled refund!(10.00) >accepted refund(part 10.00) refund:fail(part 10.00) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 reported, refund 10.00 failed | refund done | refunds-differ
  sale =settled refund!(10.00) >accepted refund(part 10.00) refund:fail(part 123.40) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 reported, refund 123.40 failed | refund done | refunds-differ
  sale =settled refund!(10.00) >accepted refund:fail(part 10.00) refund(part 70.00) → part-refunded | +123.40 -70.00 | paid proven, refund 10.00 failed, refund 70.00 reported | refund failed
  sale =settled refund!(10.00) >accepted refund:fail(part 10.00) refund(part 10.00) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 failed, refund 10.00 reported | refund failed | refunds-differ
`,
);

table(
  'a status for the whole after a part of ours is flagged, and so is a settled one after parts that leave nothing',
  `
  sale =settled refund!(10.00) >unanswered =refund → refunded | +123.40 -123.40 | paid proven, refund 10.00 requested, refund 123.40 proven | refund unknown | operation-unknown refunds-differ returned-without-callback
  sale =settled refund!(10.00) >accepted refund =refund → refunded | +123.40 -10.00 -113.40 | paid proven, refund 10.00 proven, refund 113.40 proven | refund done | refunds-differ
  sale =settled refund!(100.00) refund!(23.40 2nd) refund(part 100.00) refund(part 23.40) =settled → refunded | +123.40 -100.00 -23.40 | paid proven, refund 100.00 reported, refund 23.40 reported | refund done, refund done | refunds-differ
`,
);

table(
  'of two open requests equal ones take the oldest, different ones stay open until both have ended alike',
  `
  sale =settled refund!(10.00) refund!(10.00 2nd) refund → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 reported, refund 10.00 requested | refund done, refund unknown | operation-unknown
  sale =settled refund!(10.00) refund!(20.00 2nd) refund → refund-seen | +123.40 -? | paid proven, refund 10.00 requested, refund 20.00 requested, refund ? reported | refund one-of, refund one-of | operation-unknown operation-unknown
  sale =settled refund!(10.00) refund!(20.00 2nd) refund refund → part-refunded | +123.40 -? -? ~-? ~-? -10.00 -20.00 | paid proven, refund 10.00 reported, refund 20.00 reported | refund done, refund done
  sale =settled refund!(10.00) refund!(20.00 2nd) refund refund:fail → refund-seen | +123.40 -? | paid proven, refund 10.00 requested, refund 20.00 requested, refund ? reported | refund one-of, refund one-of | operation-unknown operation-unknown
  sale =settled refund!(10.00) refund!(20.00 2nd) refund(part 20.00) → part-refunded | +123.40 -20.00 | paid proven, refund 10.00 requested, refund 20.00 reported | refund unknown, refund done | operation-unknown
`,
);

table(
  'a refund that was on its way during a dispute went back twice',
  `
  sale =settled refund!(20.00) >accepted chargeback refund → chargeback | +123.40 -123.40 -20.00 | paid proven, refund 20.00 reported, chargeback 123.40 reported | refund done | returned-twice
`,
);

// Cancellations requested here

table(
  'a cancellation is done by its callback or a status, and fails by a settled one ten minutes later',
  `
  sale =settled void! → paid-confirmed | +123.40 | paid proven, void 123.40 requested | void unknown | operation-unknown
  sale =settled void! >accepted void → voided | +123.40 -123.40 | paid proven, void 123.40 reported | void done
  sale =settled void! >accepted =void → voided | +123.40 -123.40 | paid proven, void 123.40 proven | void done | outside-interface
  sale =settled void! >accepted =reversal → voided | +123.40 -123.40 | paid proven, void 123.40 proven | void done
  sale =settled void! >accepted =refund → voided | +123.40 -123.40 | paid proven, void 123.40 proven | void done
  sale =settled void! >accepted =settled → paid-confirmed | +123.40 | paid proven, void 123.40 failed | void failed
  sale =settled void! >accepted void =settled → paid-confirmed | +123.40 -123.40 ~-123.40 | paid proven, void 123.40 failed | void failed | refunds-differ
  sale =settled void! >failed → paid-confirmed | +123.40 | paid proven, void 123.40 failed | void failed
  sale =settled void! >unanswered void:fail → paid-confirmed | +123.40 | paid proven, void 123.40 failed | void failed
`,
);

// What people recorded from the dashboard

table(
  'a record ends what is not known, and makes nothing paid',
  `
  sale =settled refund! >unanswered by:not-carried-out → paid-confirmed | +123.40 | paid proven, refund 123.40 failed | refund failed
  sale =settled refund! >unanswered by:carried-out → refunded | +123.40 -123.40 | paid proven, refund 123.40 proven | refund done
  sale =settled refund!(10.00) >unanswered by:carried-out =settled → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 proven | refund done
  sale =settled refund by:carried-out(10.00) → part-refunded | +123.40 -? ~-? -10.00 | paid proven, refund 10.00 proven
  sale =settled refund:waiting by:carried-out(10.00) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 proven
  sale =settled by:carried-out(10.00) → part-refunded | +123.40 -10.00 | paid proven, refund 10.00 proven
  by:carried-out(10.00) → waiting
`,
);

table(
  'a settled status contradicts a record of the whole',
  `
  sale =settled refund! >unanswered by:carried-out =settled → refunded | +123.40 -123.40 | paid proven, refund 123.40 contradicted | refund done | refunds-differ
`,
);
