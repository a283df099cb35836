import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  intakeFolder,
  type IntakeFolder,
  type RunningIntake,
} from '../../tools/intake-harness/running-intake.ts';

/** The pages that customers see after the payment page, from an intake as a process. */

const paths = ['/return/thank-you', '/return/cancelled'];

describe.skipIf(process.platform === 'win32')('the return pages of an intake', () => {
  let intake: IntakeFolder;
  beforeEach(() => {
    intake = intakeFolder();
  });
  afterEach(() => intake.remove());
  const start = async (returnPages?: object): Promise<{ running: RunningIntake; base: string }> => {
    if (returnPages !== undefined) intake.configure({ returnPages });
    const running = await intake.start();
    return { running, base: new URL(running.url).origin };
  };

  test('an intake serves no return pages unless its configuration says so', async () => {
    const { base } = await start();
    for (const path of paths) expect((await fetch(base + path)).status).toBe(404);
  });

  test('return pages name the merchant, allow nothing but their own style, and nothing of the request has an effect', async () => {
    const { running, base } = await start({ enabled: true, merchant: '<Käse> & Söhne' });
    for (const path of paths) {
      const answer = await fetch(`${base}${path}?order=SECRET-1&status=paid`);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(text).toContain('&lt;Käse&gt; &amp; Söhne');
      expect(text).not.toContain('SECRET-1');
      const head = await fetch(base + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'));
      const posted = await fetch(base + path, { method: 'POST', body: 'order_number=1' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    const health = (await (await fetch(`${running.admin}/readyz`)).json()) as { journal: { events: number } };
    expect(health.journal.events).toBe(0);
    expect(running.output()).not.toContain('SECRET-1');
    expect((await fetch(`${base}/return/other`)).status).toBe(404);
  });

  test('an address that asks for too many return pages gets no more for a while', async () => {
    const { base } = await start({ enabled: true });
    const asked = await Promise.allSettled(
      Array.from({ length: 260 }, () => fetch(`${base}/return/thank-you`).then(({ status }) => status)),
    );
    const answered = asked.filter(one => one.status === 'fulfilled').length;
    expect(answered).toBeGreaterThanOrEqual(150);
    expect(answered).toBeLessThan(260);
  });

  test('the check of a configuration prints where the return pages are', async () => {
    intake.configure({ listen: { port: 8420 }, returnPages: { enabled: true } });
    const { stdout } = await intake.command('check');
    for (const path of paths) expect(stdout).toContain(`http://127.0.0.1:8420${path}`);
  });
});
