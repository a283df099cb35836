import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * React Aria carries its few spoken sentences in some thirty languages; the desk speaks two.
 * Every other language resolves to English, so that none is missing and none is shipped.
 */
const spokenLanguages = (): Plugin => ({
  name: 'spoken-languages',
  enforce: 'pre',
  resolveId: {
    order: 'pre',
    handler(source, importer) {
      const other = /intl\/[\w-]+\/([a-z]{2}-[A-Z]{2})\.mjs$/.exec(source);
      if (!other || !importer?.includes('react-')) return null;
      const [, locale] = other;
      return locale === 'en-US' || locale === 'de-DE'
        ? null
        : this.resolve(source.replace(`${locale}.mjs`, 'en-US.mjs'), importer, { skipSelf: true });
    },
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [spokenLanguages(), react()],
  build: {
    target: 'chrome146',
    outDir: '../out/renderer',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
});
