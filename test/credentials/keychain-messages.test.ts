import { expect, test } from 'vitest';
import { problemOf } from '../../main/credentials/keychain.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';

test.each([
  ['Value for attribute password is longer than platform limit of 2560 chars', 'too long'],
  ['Access denied', 'Access denied'],
  ['The collection is locked', 'locked'],
  ['org.freedesktop.DBus.Error.ServiceUnknown', 'not available'],
])('the keychain’s error “%s” becomes the message: %s', (text, said) => {
  expect(inEnglish(problemOf(new Error(text)).error.message)).toContain(said);
});
