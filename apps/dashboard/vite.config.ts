import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Address of a running service, for `npm run dev` in this folder. */
const service = 'http://127.0.0.1:5678';

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
    alias: { '@sluice/api-client': fileURLToPath(new URL('../../packages/api-client/src/index.ts', import.meta.url)) },
  },
  server: { proxy: { '/api': service, '/healthz': service, '/docs': service } },
  build: {
    target: 'es2023',
    outDir: 'dist/public',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'vite-manifest.json',
  },
});
