import './without-window.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'react-intl';
import { expect, test } from 'vitest';
import { ErrorNote } from '../../renderer/components/display/notes.tsx';
import type { AppError } from '../../shared/errors.ts';
import messages from '../../shared/messages/en.json' with { type: 'json' };
import { msg } from '../../shared/messages/message.ts';

/** The texts of a note in view, and those that are folded away for IT. */
const read = (error: AppError) => {
  const note = createElement(ErrorNote, { error });
  const html = renderToStaticMarkup(createElement(IntlProvider, { locale: 'en', messages }, note));
  const [view = '', folded = ''] = html.split('<details');
  const texts = (part: string) =>
    [...part.matchAll(/>([^<>]+)</g)].map(([, text = '']) => text.replaceAll('&gt;', '>').trim());
  return { view: texts(view).filter(Boolean), folded: texts(folded).join(' ') };
};

test('a wrong PIN is shown once, without the path and the code of the field', () => {
  const message = msg('error.agent.wrong-pin');
  const { view, folded } = read({ code: 'agent.wrong-pin', message, fields: [{ path: 'pin', message }] });
  expect(view).toEqual([messages['error.agent.wrong-pin'], messages['hint.agent.wrong-pin']]);
  expect(folded).toContain('agent.wrong-pin pin');
});

test('a missing password leads to the profiles, and names its cause once', () => {
  const { view, folded } = read({
    code: 'profile.password-missing',
    message: msg('keychain.no-password'),
    hint: msg('keychain.no-password.hint'),
  });
  expect(view).toEqual([
    messages['error.profile.password-missing'],
    messages['hint.profile.password-missing'],
    messages['error.to-password'],
  ]);
  expect(folded).toContain('profile.password-missing');
});
