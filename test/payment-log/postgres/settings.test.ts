import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  clientConfig,
  sharedLogSettingsSchema,
} from '../../../main/payment-log/postgres/connection-settings.ts';
import { sharedLogName } from '../../../shared/team/shared-log-server.ts';
import { escapeText, unescapeText } from '../../../main/payment-log/postgres/escape-text.ts';

const settings = (given: Record<string, unknown>) =>
  sharedLogSettingsSchema.parse({ host: 'db.example', database: 'shop', role: 'till', ...given });

test('the connection to a shared log to another computer verifies certificate and name', () => {
  expect(clientConfig(settings({}), 'test')).toMatchObject({
    ok: true,
    value: { ssl: { rejectUnauthorized: true, minVersion: 'TLSv1.2' }, enableChannelBinding: true },
  });
});
test('the connection to a shared log to an address verifies that address', () => {
  expect(clientConfig(settings({ host: '10.0.0.7' }), 'test')).toMatchObject({
    ok: true,
    value: { ssl: { rejectUnauthorized: true, host: '10.0.0.7' } },
  });
});
test('the connection to a shared log without TLS is refused, except on this computer', () => {
  expect(clientConfig(settings({ tls: 'off' }), 'test')).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', fields: [{ path: 'tls' }] },
  });
  for (const host of ['127.0.0.1', '::1', 'localhost', '/run/postgresql'])
    expect(clientConfig(settings({ host }), 'test')).toMatchObject({ ok: true, value: { ssl: false } });
  for (const host of ['127.0.0.1.example.com', '128.0.0.1', 'localhost.example.com'])
    expect(clientConfig(settings({ host, tls: 'off' }), 'test').ok).toBe(false);
});
test('the connection to a shared log over a socket has no TLS, which PostgreSQL does not offer there', () => {
  expect(clientConfig(settings({ host: '/run/postgresql', tls: 'verify-full' }), 'test')).toMatchObject({
    ok: true,
    value: { ssl: false, enableChannelBinding: false },
  });
});
test('the connection to a shared log names no credentials', () => {
  expect(sharedLogName(settings({ password: 'secret' }))).toBe('db.example:5432/shop/counterfoil');
});
test.each(['Shop', 'a-b', '', 'x"; DROP SCHEMA', 'a'.repeat(41)])(
  'the connection to a shared log refuses the schema name %j',
  schema => {
    expect(sharedLogSettingsSchema.safeParse({ ...settings({}), schema }).success).toBe(false);
  },
);

test('every well-formed text can be stored and read back', () => {
  const characters = fc.constantFrom('\0', '\u0010', '0', 'a', 'é', '🙂');
  const codes = fc.array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 20 });
  const texts = fc.oneof(
    fc.string({ unit: characters }),
    codes.map(of => String.fromCodePoint(...of).toWellFormed()),
  );
  fc.assert(
    fc.property(texts, text => {
      expect(escapeText(text)).not.toContain('\0');
      expect(unescapeText(escapeText(text))).toBe(text);
    }),
  );
});

test('two texts are equal if what is stored is equal', () => {
  const characters = fc.constantFrom('\0', '\u0010', '0');
  fc.assert(
    fc.property(fc.string({ unit: characters }), fc.string({ unit: characters }), (one, other) => {
      expect(escapeText(one) === escapeText(other)).toBe(one === other);
    }),
  );
});
