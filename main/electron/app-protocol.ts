import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol, type Session } from 'electron';

/** The window's own scheme: one host, one folder, one policy. Never `file://`. */

export const windowOrigin = { protocol: 'app:', host: 'counterfoil' } as const;
export const windowUrl = `${windowOrigin.protocol}//${windowOrigin.host}/index.html`;

/** The page has no network access: everything goes through main. window-session.ts covers what a policy does not. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  // No text becomes markup or a script's address: the window's one policy refuses all but the empty text.
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** Before the app is ready. No fetch API on the scheme: the window needs none. */
export const declareScheme = (): void => {
  protocol.registerSchemesAsPrivileged([
    { scheme: windowOrigin.protocol.slice(0, -1), privileges: { standard: true, secure: true } },
  ]);
};

const missing = (): Response => new Response('Not found', { status: 404, headers });

/**
 * Serves the built renderer from one folder, and no other files, to one session. `folder`: absolute path of the
 * renderer's build.
 */
export const serveRenderer = (own: Session, folder: string): void => {
  const root = normalize(folder + sep);
  own.protocol.handle(windowOrigin.protocol.slice(0, -1), async request => {
    const url = URL.parse(request.url);
    if (!url || url.host !== windowOrigin.host || request.method !== 'GET') return missing();
    let path: string;
    try {
      path = normalize(join(root, decodeURIComponent(url.pathname)));
    } catch {
      return missing();
    }
    const type = types[extname(path)];
    if (!path.startsWith(root) || path.includes('\0') || !type) return missing();
    try {
      return new Response(new Uint8Array(await readFile(path)), {
        headers: { ...headers, 'Content-Type': type },
      });
    } catch {
      return missing();
    }
  });
};
