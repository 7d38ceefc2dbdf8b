import { fileURLToPath } from 'node:url';
import { minifyContractRouter } from '@orpc/contract';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';
import { contract } from './src/contract/index.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The stylesheet names the fonts only once it has been fetched and parsed: asking for the two that every page
// needs from the HTML itself saves that round trip. The -ext subsets stay on demand.
function preloadFonts(): Plugin {
  return {
    name: 'cellar-door:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /-latin-(wght|opsz)-normal-[\w-]+\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

// The browser needs each call's method and path, not zod's schemas.
function contractRoutes(): Plugin {
  const id = '\0virtual:contract';
  return {
    name: 'cellar-door:contract-routes',
    resolveId: (source) => (source === 'virtual:contract' ? id : null),
    load: (source) =>
      source === id ? `export default ${JSON.stringify(minifyContractRouter(contract))}` : null,
  };
}

// The server fills the placeholder when it hands out the page; src/web/site.ts reads it. It is put in from here
// because the linter reads index.html as it stands, and a bare placeholder is not JSON.
function siteData(): Plugin {
  return {
    name: 'cellar-door:site-data',
    transformIndexHtml: () => [
      {
        tag: 'script',
        attrs: { type: 'application/json', id: 'site' },
        children: '__SITE__',
        injectTo: 'head' as const,
      },
    ],
  };
}

export default defineConfig({
  root: at('src/web'),
  base: '/',
  plugins: [
    contractRoutes(),
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: at('src/web/routes'),
      generatedRouteTree: at('src/web/routeTree.gen.ts'),
      quoteStyle: 'single',
      semicolons: true,
      addExtensions: true,
    }),
    react(),
    tailwindcss(),
    siteData(),
    preloadFonts(),
  ],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data: URLs for scripts, styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      output: {
        // Every page needs these. Left alone they are cut along the seams of the routes: more files, worse packed.
        codeSplitting: {
          groups: [
            {
              name: 'shell',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store))\//,
            },
            {
              name: 'parts',
              test: /src\/web\/ui\/(button|button-look|card|class-names|field|glyph|notice|page-shell|page-title|password-field|spinner|text-field)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': { target: `http://127.0.0.1:${process.env.API_PORT ?? '3000'}` } },
  },
});
