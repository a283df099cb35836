import { describe, expect, test } from 'vitest';
import { localDataFolder, restartArguments } from '../../main/electron/command-line.ts';

const isLink = (argument: string): boolean => argument.startsWith('counterfoil:');
const again = (own: string[], second: string[]): string[] =>
  restartArguments(['Counterfoil', ...own], ['Counterfoil', ...second], isLink, '--hidden');

describe('a console that starts again', () => {
  test('a console that starts again has the options of its first start, and a window', () =>
    expect(again(['--user-data-dir=D:\\Data', '--hidden'], ['--original-process-start-time=1'])).toEqual([
      '--user-data-dir=D:\\Data',
    ]));

  test('a console that starts again opens the payment of the second start, not that of the first', () =>
    expect(again(['counterfoil:payments/A-1'], ['counterfoil:payments/B-2'])).toEqual([
      'counterfoil:payments/B-2',
    ]));
});

describe('the data folder', () => {
  const environment = { LOCALAPPDATA: 'C:\\Users\\Jane Doe\\AppData\\Local' };
  const folder = (system: NodeJS.Platform, ...switches: string[]): string | null =>
    localDataFolder(system, environment, name => switches.includes(name));

  test('the data folder is in the part of a Windows profile that does not roam', () =>
    expect(folder('win32')).toBe('C:\\Users\\Jane Doe\\AppData\\Local\\Counterfoil'));

  test('the data folder is the one of the command line, and Electron’s choice on other systems', () => {
    expect(folder('win32', 'user-data-dir')).toBeNull();
    expect(folder('darwin')).toBeNull();
    expect(localDataFolder('win32', {}, () => false)).toBeNull();
  });
});
