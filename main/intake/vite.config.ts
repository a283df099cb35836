import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The intake as ESM with all JavaScript bundled; only SQLite's native module stays external. */
export default defineConfig({
  root: import.meta.dirname,
  define: { INTAKE_VERSION: JSON.stringify(version) },
  build: {
    ssr: true,
    target: 'node24',
    outDir: '../../out/intake',
    emptyOutDir: true,
    license: { fileName: 'licenses.json' },
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: {
        index: 'main/intake/index.ts',
        worker: 'main/payment-log/sqlite/worker/worker.ts',
      },
      external: ['better-sqlite3'],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[name].js' },
    },
  },
  ssr: { noExternal: true, external: ['better-sqlite3'] },
});
