import { expect, test } from 'vitest';
import { createAddressLimits, isNetwork, senderBehind } from '../../main/pacing/address-limits.ts';

test('an address may send its burst at once, and its rate per second after that', () => {
  let now = 0;
  const limits = createAddressLimits(() => now, { burst: 3, perSecond: 2 });
  const taken = (address: string, count: number): number =>
    Array.from({ length: count }, () => limits.take(address)).filter(Boolean).length;
  expect(taken('192.0.2.1', 10)).toBe(3);
  expect(taken('192.0.2.2', 2)).toBe(2);
  now = 1_000;
  expect(taken('192.0.2.1', 10)).toBe(2);
  now = 3_600_000;
  expect(taken('192.0.2.1', 10)).toBe(3);
});

test('the addresses of one IPv6 network count together', () => {
  const limits = createAddressLimits(() => 0, { burst: 2, perSecond: 1 });
  expect(
    ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::ffff'].map(one => limits.take(one)),
  ).toEqual([true, true, false]);
  expect(limits.take('2001:db8:1:3::1')).toBe(true);
  expect(limits.take('::1')).toBe(true);
});

test('any number of addresses takes a limited memory', () => {
  const limits = createAddressLimits(() => 0, { burst: 1, perSecond: 1 });
  for (let number = 0; number < 25_000; number += 1)
    expect(limits.take(`10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`)).toBe(true);
});

test('only a trusted proxy names the sender', () => {
  const senderOf = senderBehind(['10.0.0.0/8', '192.0.2.9', '::1']);
  expect(senderOf('203.0.113.5', '198.51.100.1')).toBe('203.0.113.5');
  expect(senderOf('::ffff:10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
  expect(senderOf('10.1.2.3', 'invented, 198.51.100.1, 192.0.2.9')).toBe('198.51.100.1');
  expect(senderOf('::1', '6.6.6.6, 198.51.100.1')).toBe('198.51.100.1');
  expect(senderOf('10.1.2.3', undefined)).toBe('10.1.2.3');
  expect(senderOf('10.1.2.3', 'unknown')).toBe('10.1.2.3');
  expect(senderBehind([])('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
});

test.each([
  ['10.0.0.0/8', true],
  ['192.0.2.1', true],
  ['2001:db8::/32', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8/8', false],
  ['proxy.example', false],
  ['10.0.0.0/', false],
  ['', false],
])('%s is an address or a network: %s', (text, is) => {
  expect(isNetwork(text)).toBe(is);
});
