import { expect, test } from 'vitest';
import { packTargets, signingArguments, withoutEmpty } from '../../scripts/packaging/pack-options.ts';

/** How a pack reads its arguments and the secrets of its environment. */

test('a pack is for this machine, or for the system and the processors that its arguments name', () => {
  const machine = { platform: 'darwin', arch: 'arm64' };
  expect(packTargets([], machine)).toEqual({ system: 'darwin', processors: ['arm64'] });
  expect(packTargets(['--win', '--x64', '--arm64'], machine)).toEqual({
    system: 'win32',
    processors: ['x64', 'arm64'],
  });
  expect(() => packTargets(['--win', '--mac'], machine)).toThrow('one system');
  expect(() => packTargets([], { platform: 'freebsd', arch: 'x64' })).toThrow('freebsd');
  expect(() => packTargets(['--bsd'], machine)).toThrow('Unknown: --bsd. npm run pack -- ');
  expect(packTargets(['--linux', 'dir', '-c.electronDist=/a b'], machine)).toMatchObject({ system: 'linux' });
});

test('an empty variable is no secret', () => {
  expect(withoutEmpty({ CSC_LINK: '', OTHER: 'value', NONE: undefined })).toEqual({ OTHER: 'value' });
});

test('without credentials no package is signed, and macOS can still start the application', () => {
  expect(signingArguments('win32', {})).toEqual([]);
  expect(signingArguments('linux', {})).toEqual([]);
  expect(signingArguments('darwin', {})).toContain('-c.mac.identity=-');
  expect(signingArguments('darwin', { CSC_LINK: 'file' })).toEqual([]);
});

test('with credentials Windows programs are signed; half of them is a mistake', () => {
  const complete = {
    AZURE_CLIENT_SECRET: 'secret',
    AZURE_SIGNING_ENDPOINT: 'https://signing.example',
    AZURE_SIGNING_ACCOUNT: 'account',
    AZURE_SIGNING_PROFILE: 'profile',
    AZURE_SIGNING_PUBLISHER: 'Counterfoil contributors',
  };
  expect(signingArguments('win32', complete)).toEqual([
    '-c.win.azureSignOptions.endpoint=https://signing.example',
    '-c.win.azureSignOptions.codeSigningAccountName=account',
    '-c.win.azureSignOptions.certificateProfileName=profile',
    '-c.win.azureSignOptions.publisherName=Counterfoil contributors',
  ]);
  expect(() => signingArguments('win32', { AZURE_CLIENT_SECRET: 'secret' })).toThrow(
    'AZURE_SIGNING_ENDPOINT',
  );
});
