import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Address of a running service, for `npm run dev` in this folder. */
const service = 'http://127.0.0.1:5678';

const source = (path: string) => fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));

/** Fills what the API fills in `index.html` when it serves the page. */
const placeholders: Plugin = {
  name: 'placeholders',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html.replace('{{base}}', '/').replaceAll('{{nonce}}', 'development').replace('{{keyHeader}}', 'X-SERVICE-API-KEY'),
};

export default defineConfig({
  base: './',
  plugins: [react(), placeholders],
  resolve: {
    alias: {
      '@sluice/api-client': source('api-client/src/index.ts'),
      '@sluice/node-sdk/display': source('node-sdk/src/display.ts'),
      '@sluice/expressions/editing': source('expressions/src/editing.ts'),
      // The part of the package that `display` uses; others need Node.js.
      '@sluice/domain': source('domain/src/json/json.ts'),
    },
  },
  server: { proxy: { '/api': service, '/healthz': service, '/docs': service } },
  build: {
    target: 'es2023',
    outDir: 'dist/public',
    assetsInlineLimit: 0,
    // Page styles that failed to load in an outage would not be loaded again with the page.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'vite-manifest.json',
    rolldownOptions: {
      output: {
        // Modules that each page needs are one file: files of a few hundred bytes compress worse.
        codeSplitting: { groups: [{ name: 'base', tags: ['$initial'] }] },
      },
    },
  },
});
