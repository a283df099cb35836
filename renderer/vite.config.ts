import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { requestRights } from '../shared/contract/required-rights.ts';
import { isAfterFirstScreen, isPrintedOnly } from '../shared/messages/window-texts.ts';

/**
 * React Aria contains its few spoken texts in some thirty languages; the console has two. All other languages resolve
 * to English, so that none is missing and none is shipped.
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

/**
 * The window's catalogues: without the texts of exported files and printed pages, which main formats, and in two parts,
 * the texts of the first screen and (`?others`) the other ones.
 */
const windowCatalogues = (): Plugin => ({
  name: 'window-catalogues',
  enforce: 'pre',
  transform: {
    filter: { id: /shared[\\/]messages[\\/][a-z]+\.json(?:\?others)?$/ },
    handler: (text, id) => {
      const isOthers = id.endsWith('?others');
      const part = JSON.stringify(
        Object.fromEntries(
          Object.entries(JSON.parse(text) as Record<string, string>).filter(
            ([key]) => !isPrintedOnly(key) && isAfterFirstScreen(key) === isOthers,
          ),
        ),
      );
      // A file with a query is no JSON to the bundler.
      return isOthers ? { code: `export default ${part}`, moduleType: 'js' } : part;
    },
  },
});

/** The first requests wait for neither the styles nor the other scripts. */
const requestedFirst = (): Plugin => ({
  name: 'requested-first',
  transformIndexHtml: {
    order: 'post',
    handler: html => html.replace(/<script (?=[^>]*bootstrap-prefetch)/, '<script async '),
  },
});

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  define: { REQUEST_RIGHTS: JSON.stringify(requestRights) },
  plugins: [windowCatalogues(), spokenLanguages(), react(), requestedFirst()],
  build: {
    target: 'chrome146',
    outDir: '../out/renderer',
    emptyOutDir: true,
    license: { fileName: 'licenses.json' },
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // A separate script, which runs while the others are loaded.
            { name: 'bootstrap-prefetch', test: /bootstrap-prefetch\.ts$/, priority: 3 },
            { name: 'other-texts-en', test: /en\.json\?others$/, priority: 3 },
            { name: 'other-texts-de', test: /de\.json\?others$/, priority: 3 },
            // Three chunks are compiled in parallel; more would be compiled one by one. The page is left with only
            // imports, each of which becomes a script.
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 2 },
            { name: 'widgets', tags: ['$initial'], test: /node_modules/, priority: 1 },
            { name: 'first-screen', tags: ['$initial'], test: /(?<!\.html)$/ },
          ],
        },
      },
    },
  },
});
