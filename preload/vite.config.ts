import { defineConfig } from 'vite';
import { requestNames, ipcEventNames } from '../shared/contract/contract.ts';

/** The preload as one CommonJS file, as a sandboxed preload requires. */
export default defineConfig({
  root: import.meta.dirname,
  define: { REQUEST_NAMES: JSON.stringify(requestNames), EVENT_NAMES: JSON.stringify(ipcEventNames) },
  build: {
    ssr: true,
    target: 'chrome146',
    outDir: '../out/preload',
    emptyOutDir: true,
    license: { fileName: 'licenses.json' },
    minify: false,
    rolldownOptions: {
      input: 'preload/index.ts',
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: 'index.cjs' },
    },
  },
  ssr: { noExternal: true, external: ['electron'] },
});
