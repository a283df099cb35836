import { expect, test } from 'vitest';
import { isMerchantLogo, maxLogoBytes, maxLogoChars } from '../../shared/settings/merchant-logo.ts';
import { smallLogo } from '../../tools/papers/small-logo.ts';

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
