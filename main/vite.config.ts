import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { requestNames } from '../shared/contract/contract.ts';
import { paperFontFolder, paperFonts } from './export/papers/paper-fonts.ts';

/** Copies the fonts of papers beside the program: the page that is printed can read nothing else. */
const copyPaperFonts: Plugin = {
  name: 'paper-fonts',
  generateBundle() {
    for (const { file, source } of paperFonts)
      this.emitFile({
        type: 'asset',
        fileName: `${paperFontFolder}/${file}`,
        source: readFileSync(join(import.meta.dirname, '..', 'node_modules', source)),
      });
  },
};

/** Main as ESM with all JavaScript bundled; only the native modules and Electron stay external. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [copyPaperFonts],
  define: {
    REQUEST_NAMES: JSON.stringify(requestNames),
    // Public keys that sign updates, separated by blanks; none: the build does not update itself.
    UPDATE_KEYS: JSON.stringify(process.env['COUNTERFOIL_UPDATE_KEYS'] ?? ''),
  },
  build: {
    ssr: true,
    target: 'node24',
    outDir: '../out/main',
    emptyOutDir: true,
    license: { fileName: 'licenses.json' },
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: {
        index: 'main/electron/index.ts',
        worker: 'main/payment-log/sqlite/worker/worker.ts',
        'list-worker': 'main/payment-log/list/list-worker.ts',
        'file-worker': 'main/callbacks/file-worker.ts',
        'statement-worker': 'main/statements/statement-worker.ts',
        'workbook-worker': 'main/export/workbook-worker.ts',
      },
      external: ['electron', 'better-sqlite3', '@napi-rs/keyring'],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js' },
    },
  },
  ssr: { noExternal: true, external: ['electron', 'better-sqlite3', '@napi-rs/keyring'] },
});
