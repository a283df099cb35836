import { expect, test } from 'vitest';
import { profileDefaults } from '../../shared/settings/profile.ts';
import { isMerchantLogo, maxLogoBytes, maxLogoChars } from '../../shared/settings/merchant-logo.ts';
import { smallLogo } from '../../tools/papers/small-logo.ts';
import { roles } from '../../shared/agents/roles.ts';
import { sectionsFor, settingsSections } from '../../shared/settings/sections.ts';

/** The settings of a new profile for what the interface does not show, each with its evidence in docs/integrate. */
const defaults = {
  methods: ['card'],
  sessionPath: '/api/v1/sessions/',
  statusForm: 'get-json',
  statusByOrder: true,
  digest: 'md5',
  requestUppercasing: 'unicode',
  gatewayZone: 'UTC',
  amountRule: null,
  refundAmountInCallback: 'order',
} as const;

test.each(Object.entries(defaults))('the default of %s is %j', (name, value) => {
  expect(profileDefaults).toMatchObject({ [name]: value });
});

test('every optional field of a session request is off by default', () => {
  for (const value of Object.values(profileDefaults.extras)) expect([false, 0, '']).toContain(value);
});

test('no operation is switched on by default, and nothing more is sent', () => {
  expect(profileDefaults.operations).toEqual({
    refund: false,
    void: false,
    recurring: false,
    retry: false,
    capture: false,
    voidAllowed: 'same-day',
    sendCurrencyInRecurring: false,
    sendCustomerInRecurring: false,
    statusSize: 0,
    holdDays: 7,
    limits: { perOperation: '', perDay: '', secondPersonFrom: '' },
  });
});

/** The smallest PNG's header with this size; the rest of a picture is not read. */
const png = (width: number, height: number, length = 33): string => {
  const bytes = Buffer.alloc(length);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
};
/** A JPEG with one segment before its frame. */
const jpeg = (width: number, height: number): string => {
  const bytes = Buffer.from('ffd8ffe000040000ffc00011080000000003012200021101031101', 'hex');
  bytes.writeUInt16BE(height, 13);
  bytes.writeUInt16BE(width, 15);
  return `data:image/jpeg;base64,${bytes.toString('base64')}`;
};

test('a logo is a PNG or JPEG picture of up to 1,200 by 400 pixels and 48 KB, or none', () => {
  for (const logo of ['', smallLogo, png(1_200, 400), jpeg(1_200, 400), png(1, 1, maxLogoBytes)])
    expect(isMerchantLogo(logo)).toBe(true);
  for (const logo of [
    png(1_201, 1),
    png(1, 401),
    jpeg(1_201, 1),
    jpeg(1, 401),
    png(0, 1),
    png(1, 1, maxLogoBytes + 1),
  ])
    expect(isMerchantLogo(logo)).toBe(false);
});

test('a file of another kind is no logo, even with the name of one', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  for (const logo of [
    `data:image/svg+xml;base64,${svg}`,
    `data:image/png;base64,${svg}`,
    `data:image/jpeg;base64,${svg}`,
    smallLogo.replace('image/png', 'image/jpeg'),
    smallLogo.replace(';base64', ';charset=utf-8;base64'),
    'https://example.com/logo.png',
    `${smallLogo}" onerror="`,
    `data:image/png;base64,${'A'.repeat(maxLogoChars)}`,
  ])
    expect(isMerchantLogo(logo)).toBe(false);
});

test('an agent sees four pages of settings, an administrator all of them in three groups', () => {
  expect(sectionsFor('agent')).toEqual({
    you: ['appearance', 'general', 'people', 'about'],
    shop: [],
    it: [],
  });
  const { you, shop, it } = sectionsFor('administrator');
  expect([you.length, shop.length, it.length]).toEqual([2, 6, 6]);
  expect([...you, ...shop, ...it].toSorted()).toEqual([...settingsSections].toSorted());
  for (const role of roles) {
    const seen = Object.values(sectionsFor(role)).flat();
    expect(new Set(seen).size).toBe(seen.length);
  }
});
