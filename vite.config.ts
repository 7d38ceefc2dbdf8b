import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageChunks } from './scripts/web-build/chunks.ts';
import { contractData } from './scripts/web-build/contract-data.ts';
import { preloadFonts, siteData } from './scripts/web-build/document.ts';
import { handbook } from './scripts/web-build/handbook.ts';
import { installable } from './scripts/web-build/installable.ts';
import { webFiles } from './scripts/web-build/web-files.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const chunks = pageChunks();

export default defineConfig({
  root: at('src/web'),
  base: '/',
  plugins: [
    contractData(),
    handbook(),
    react(),
    tailwindcss(),
    chunks.plugin,
    siteData(),
    preloadFonts(),
    installable(),
    webFiles({ smallest: process.env.SMALLEST_WEB === '1' }),
  ],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    // The content security policy allows no inline scripts, and no data: URLs for scripts, styles and fonts.
    assetsInlineLimit: 0,
    // One stylesheet, which the document names: nothing is shown without its styles, and no script waits for them.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: at('src/web/index.html'), 'service-worker': at('src/web/app/service-worker.ts') },
      output: {
        // A service worker's address is its name: it must stay the same, and speak for the whole site.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        // Every page's script names the others, and these digits pack better than those of base64.
        hashCharacters: 'hex',
        codeSplitting: { groups: chunks.groups },
      },
    },
  },
  server: {
    // The modules of src/web/api have addresses below /api too.
    proxy: { '^/api/(?!.*\\.tsx?(\\?|$))': { target: `http://127.0.0.1:${process.env.API_PORT ?? '3000'}` } },
  },
});
