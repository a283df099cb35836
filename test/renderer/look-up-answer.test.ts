import './without-window.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'react-intl';
import { expect, test } from 'vitest';
import { Answer } from '../../renderer/screens/look-up/look-up-screen.tsx';
import de from '../../shared/messages/de.json' with { type: 'json' };
import en from '../../shared/messages/en.json' with { type: 'json' };
import { paymentStatuses } from '../../shared/payments/payment-statuses.ts';
import { asEvent, lookUp } from '../../tools/evidence/evidence.ts';

/** What the look-up screen says about the gateway's answer. */

const shown = (language: 'en' | 'de', status: string): string => {
  const event = asEvent(lookUp(0, status));
  if (event.kind !== 'status.observed') throw new Error(`It is ${event.kind}.`);
  const messages = language === 'en' ? en : de;
  const answer = createElement(Answer, { event, file: null });
  return renderToStaticMarkup(createElement(IntlProvider, { locale: language, messages }, answer));
};

test.each([
  ['English', 'en', en],
  ['German', 'de', de],
] as const)(
  'each status of the interface is shown in %s with its own explanation, labelled as an assumption',
  (_, language, catalogue) => {
    for (const status of paymentStatuses) {
      const screen = shown(language, status);
      expect(screen).toContain(catalogue[`status-means.${status}`].replaceAll('"', '&quot;'));
      expect(screen).toContain(catalogue['look-up.status.assumed']);
    }
  },
);

test('another status is shown as received, and its explanation is not labelled as one of the interface', () => {
  const screen = shown('en', 'something-new');
  expect(screen).toContain('something-new');
  expect(screen).toContain(en['status-means.other']);
  expect(screen).not.toContain(en['look-up.status.assumed']);
});
