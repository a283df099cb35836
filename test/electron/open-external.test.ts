import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openExternal } from '../../main/electron/open-external.ts';
import { recorded } from '../../tools/fake-electron/electron.ts';

vi.mock('electron', () => import('../../tools/fake-electron/electron.ts'));

beforeEach(() => {
  recorded.opened.length = 0;
});

describe('the external opener', () => {
  test.each([
    'https://pay.example/session/1',
    'mailto:a@example.com?subject=Order',
    'sms:?body=hello',
    'http://127.0.0.1:4000/pay/x',
  ])('the external opener opens %s', async address => {
    expect(await openExternal(address)).toEqual({ ok: true, value: undefined });
    expect(recorded.opened).toEqual([address]);
  });

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hello',
    'http://pay.example/',
    'http://localhost.example/',
    'ms-settings:',
    'counterfoil://payment/1',
    'smb://server/share',
    'https://user:secret@pay.example/',
    '//pay.example',
    'not an address',
    '',
  ])('the external opener refuses %s', async address => {
    expect(await openExternal(address)).toMatchObject({ ok: false, error: { code: 'link.refused' } });
    expect(recorded.opened).toEqual([]);
  });
});
