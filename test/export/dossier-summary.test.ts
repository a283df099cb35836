import { expect, test } from 'vitest';
import { dossierSummary } from '../../main/export/dossier-page.ts';
import { dossierText } from '../../main/export/dossier-text.ts';
import { drafts } from '../../tools/evidence/evidence-line.ts';
import { reduce } from '../../tools/evidence/reduced.ts';

const paper = (line: string): string => {
  const payment = reduce(...drafts(line));
  const merchant = { name: 'Shop', address: [], phone: '', profile: 'Shop', kind: null };
  return dossierSummary(
    {
      format: 'counterfoil-dossier-1',
      createdAt: payment.lastAt + 60_000,
      createdBy: 'Ada',
      merchant,
      payment,
      shown: [],
      events: [],
      segments: [],
    },
    '',
    dossierText({ language: 'en', locale: 'en-GB' }, 'UTC'),
  );
};

test.each([
  ['sale =settled', 'Paid, confirmed by a status check', '€123.40'],
  ['sale =settled sale(2nd) =settled(2nd)', 'Paid twice', '€246.80'],
  ['sale =settled refund! >accepted', 'Refund requested', '€123.40'],
  ['sale =decline', 'Needs attention', '€123.40'],
])('the evidence of "%s" begins with what the screen shows first: %s', (line, name, amount) => {
  expect(paper(line)).toContain(`<p class="state">${name}</p>`);
  expect(paper(line)).toContain(`<p class="amount"><bdi>${amount}</bdi></p>`);
});
