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

/** What asks main for the first screen's contents, and all that it imports: a script of its own, which runs while the others are still being read. */
const firstAnswers =
  /node_modules[\\/](?:react|zustand)[\\/]|renderer[\\/](?:first-answers|desk|stores[\\/]desk|messages[\\/]index)\.ts$/;

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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first-answers', test: firstAnswers, priority: 2 },
            // The rest of the first screen in one piece: main hands every file over by itself. The page is left
            // with nothing but imports, which it makes a script each.
            { name: 'first-screen', tags: ['$initial'], test: /(?<!\.html)$/, priority: 1 },
          ],
        },
      },
    },
  },
});
