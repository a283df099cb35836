import { expect, test } from 'vitest';
import { checkBaseUrl } from '../../../main/gateway/base-url.ts';
import { sessionOutcome } from '../../../main/gateway/session-outcome.ts';
import { profileProblems, withoutUnseenAt } from '../../../main/gateway/profile-problems.ts';
import { isEmailAddress } from '../../../shared/email-address.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { withoutUnseen } from '../../../shared/plain-text.ts';
import { inWords } from '../../../tools/app-harness/in-words.ts';
import { secureProfile } from '../../gateway/gateway-server.ts';

/** What copying brings into a field: it is taken off, or named. */

const zeroWidth = '\u200B';

test.each([
  [`CF-1${zeroWidth}`, 'CF-1'],
  ['\u200FCF-1\u200E', 'CF-1'],
  ['\uFEFF anna@example.com\u00A0', 'anna@example.com'],
  ['\u202A+49 170 1234567\u202C', '+49 170 1234567'],
])('invisible characters around a number or address are taken off: %j is %s', (pasted, read) => {
  expect(withoutUnseen(pasted)).toBe(read);
});

test.each([
  'mailto:anna@example.com',
  'Anna<anna@example.com>',
  'anna@example,com',
  `anna${zeroWidth}@example.com`,
  'anna@example.com; bob@example.com',
])('%j is no email address', text => {
  expect(isEmailAddress(text)).toBe(false);
});

test.each([
  ['12,-', 'de', 1_200n],
  ['50,--', 'de', 5_000n],
  ['1.234,–', 'de', 123_400n],
  ['12.-', 'de-CH', 1_200n],
  ['12.-', 'en', 1_200n],
])('a dash stands for no decimals: %s (%s)', (text, locale, minor) => {
  expect(readAmount(text, locale, 'EUR')).toMatchObject({ ok: true, value: { minor } });
});

test('a sign is no such dash', () => {
  for (const text of ['-12', '12-', '(12)']) expect(readAmount(text, 'de', 'EUR').ok).toBe(false);
});

test('an invisible character in a merchant key or password is named, and so is a blank at its end', () => {
  const key = (merchantKey: string) => inWords(profileProblems({ ...secureProfile(443, {}), merchantKey }));
  expect(key(`b8e5${zeroWidth}`)).toEqual([
    {
      path: 'merchantKey',
      message: 'It contains an invisible character (U+200B). Copy it again without, or type it.',
    },
  ]);
  expect(inWords(withoutUnseenAt('password', 'correct horse '))).toEqual([
    { path: 'password', message: 'It begins or ends with a blank. Leave it out.' },
  ]);
  expect(withoutUnseenAt('password', 'correct horse')).toEqual([]);
});

test.each(['https://pay.example/api/v1/session', 'https://pay.example/x/api/v1/payment/status'])(
  'the address of a request is no base address, and the part to leave out is named: %s',
  baseUrl => {
    const checked = checkBaseUrl({ kind: 'live', baseUrl });
    expect(checked.ok ? '' : inWords(checked.error).hint).toContain('/api/v1');
  },
);

test('a line break after the link of an accepted session is no part of it', () => {
  const body = Buffer.from(JSON.stringify({ redirect_url: 'https://pay.example/x\r\n' }));
  const received = { httpStatus: 200, contentType: null, location: null, date: null, retryAfter: null, body };
  expect(sessionOutcome(received, secureProfile(443, {}), 'https://pay.example', text => text)).toMatchObject(
    {
      kind: 'accepted',
      link: 'https://pay.example/x',
    },
  );
});
