import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkLink } from '../../shared/settings/check-link.ts';

/** The links that a customer may get (§2.3), and the addresses that a profile may have. */

const live = { kind: 'live', baseUrl: 'https://pay.example' } as const;

it.each([
  ['a right-to-left override', 'https://pay.example/\u202Etxt'],
  ['a zero-width space', 'https://pay\u200B.example/x'],
  ['a zero-width joiner', 'https://pay.example/a\u200Db'],
  ['an isolate', 'https://pay.example/\u2066x\u2069'],
  ['a byte order mark', '\uFEFFhttps://pay.example/x'],
  ['a soft hyphen', 'https://pay.example/pay\u00ADment'],
  ['a variation selector', 'https://pay.example/x\uFE0F'],
  ['an invisible filler', 'https://pay.example/\u3164'],
  ['no host', 'https:///x'],
  ['no slashes', 'https:evil.example/x'],
  ['backslashes', String.raw`https:\\evil.example\x`],
  ['a backslash before a user', String.raw`https://pay.example\@evil.example/`],
  ['a blank', 'https://pay.example/ x'],
  ['a user name', 'https://pay.example@evil.example/'],
  ['plain http', 'http://pay.example/x'],
  ['a hexadecimal address', 'https://0x7f.1/p'],
  ['a short address', 'https://8.8/p'],
  ['an octal address', 'https://0127.0.0.1/p'],
  ['an address as one number', 'https://134744072/p'],
  ['this computer as host', 'https://127.0.0.1/p'],
  ['this computer in IPv6', 'https://[::1]/p'],
  ['this computer by name', 'https://localhost/p'],
  ['an address of the own network', 'https://192.168.1.20/p'],
  ['more than 2,048 characters', `https://pay.example/${'x'.repeat(2_029)}`],
  ['more than 2,048 characters once escaped', `https://pay.example/${'ż'.repeat(1_000)}`],
])('a payment link with %s is refused', (_, link) => {
  expect(checkLink(link, live)).toMatchObject({ ok: false, error: { code: 'gateway.unsafe-link' } });
});

it('a payment link of a test profile leads to this computer or network only if its gateway is there', () => {
  const of = (baseUrl: string, link: string) => checkLink(link, { kind: 'test', baseUrl }).ok;
  expect(of('https://pay.example', 'https://127.0.0.1/p')).toBe(false);
  expect(of('http://127.0.0.1:8080', 'http://127.0.0.1:8080/p')).toBe(true);
  expect(of('https://10.0.0.5', 'https://10.0.0.5/p')).toBe(true);
  expect(of('http://127.0.0.1:8080', 'https://0x7f.1/p')).toBe(false);
});

it('a payment link is stored as a browser reads it, its host in ASCII', () => {
  const stored = (link: string) => checkLink(link, live);
  // The first has a Cyrillic letter that looks like a Latin one.
  expect(stored('https://p\u0430ypal.example/x')).toEqual({
    ok: true,
    value: 'https://xn--pypal-4ve.example/x',
  });
  expect(stored('HTTPS://PAY.example/ą?q=1')).toEqual({
    ok: true,
    value: 'https://pay.example/%C4%85?q=1',
  });
  expect(stored(`https://pay.example/${'x'.repeat(2_028)}`).ok).toBe(true);
});

it('a payment link never contains an invisible character, for any answer of the gateway', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string({ unit: 'binary' }).map(text => `https://pay.example/${text}`),
      ),
      link => {
        const checked = checkLink(link, live);
        if (checked.ok) expect(checked.value).toMatch(/^https:\/\/[!-~]{1,2040}$/);
      },
    ),
  );
});

it('a payment link over plain http is accepted only for this PC, and only if the gateway itself is on it', () => {
  const link = 'http://127.0.0.1:4000/pay/x';
  const local = 'http://127.0.0.1:4000';
  expect(checkLink(link, { kind: 'sandbox', baseUrl: local }).ok).toBe(true);
  expect(checkLink(link, { kind: 'test', baseUrl: local }).ok).toBe(true);
  expect(checkLink(link, { kind: 'test', baseUrl: 'https://pay.example' }).ok).toBe(false);
  expect(checkLink(link, { kind: 'live', baseUrl: local }).ok).toBe(false);
  expect(checkLink('http://pay.example/x', { kind: 'test', baseUrl: local }).ok).toBe(false);
});
