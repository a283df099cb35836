import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An application with a single field: the baseline of the host. */

const page = `<!doctype html>
<meta charset="utf-8">
<title>Blank</title>
<input name="amount" aria-label="Amount">
<script>
  document.querySelector('input').focus();
  globalThis.usableAt = performance.timeOrigin + performance.now();
</script>`;

const main = `import { app, BrowserWindow, protocol } from 'electron';
const page = ${JSON.stringify(page)};
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }]);
app.on('window-all-closed', () => app.quit());
void app.whenReady().then(() => {
  protocol.handle('app', () => new Response(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }));
  const window = new BrowserWindow({ title: 'Blank' });
  void window.loadURL('app://blank/index.html');
});
`;

/** Writes the blank application; returns its folder and its cleanup. */
export const blankPage = (): { folder: string; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-blank-'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'blank', version: '0.0.0', type: 'module', main: 'index.js' }),
  );
  writeFileSync(join(folder, 'index.js'), main);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
