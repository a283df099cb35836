import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrowserWindow, session, type Session } from 'electron';
import { paperFontFolder, paperFonts } from '../export/papers/paper-fonts.ts';
import { windowOrigin } from './app-protocol.ts';
import { safePreferences } from './window.ts';
import { lockSession } from './window-session.ts';

/** Prints pages in a hidden window with a separate session: no scripts, no network, nothing written to the disk. */

const host = 'print';
/** The pages that are being printed, by path. */
const pages = new Map<string, string>();
let own: Promise<Session> | null = null;

/** A font of papers by its path; null for any other path. */
const fontAt = async (path: string): Promise<Response | null> => {
  const font = paperFonts.find(({ file }) => path === `/${paperFontFolder}/${file}`);
  if (font === undefined) return null;
  const bytes = await readFile(join(import.meta.dirname, paperFontFolder, font.file));
  return new Response(new Uint8Array(bytes), { headers: { 'Content-Type': 'font/woff2' } });
};

const notFound = (): Response => new Response('Not found', { status: 404 });

const openSession = async (): Promise<Session> => {
  const opened = session.fromPartition('counterfoil-print');
  await lockSession(opened, () => false);
  opened.protocol.handle(windowOrigin.protocol.slice(0, -1), async request => {
    const url = URL.parse(request.url);
    if (url?.host !== host) return notFound();
    const page = pages.get(url.pathname);
    return page === undefined
      ? ((await fontAt(url.pathname)) ?? notFound())
      : new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  });
  return opened;
};

/** Prints a complete page with its own margins, size and page numbers. Rejects if Chromium cannot print it. */
export const printToPdf = async (html: string): Promise<Uint8Array> => {
  own ??= openSession();
  const path = `/${randomUUID()}`;
  pages.set(path, html);
  const window = new BrowserWindow({
    show: false,
    webPreferences: { ...safePreferences, session: await own, javascript: false, devTools: false },
  });
  try {
    await window.loadURL(`${windowOrigin.protocol}//${host}${path}`);
    return await window.webContents.printToPDF({
      preferCSSPageSize: true,
      printBackground: true,
      generateTaggedPDF: true,
    });
  } finally {
    pages.delete(path);
    window.destroy();
  }
};
