import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { minifyContractRouter } from '@orpc/contract';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { Plugin, Rollup } from 'vite';
import { defineConfig } from 'vite';
import { forms } from './src/contract/forms/forms.ts';
import { contract } from './src/contract/index.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const preloadedFont = /-latin-(wght|opsz)-normal-[\w-]+\.woff2$/;

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
          .filter((file) => preloadedFont.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head' as const,
          })),
    },
  };
}

// Of each call the browser needs method and path, of each form its rules; zod's schemas would weigh far more.
function contractData(): Plugin {
  const contractRoutes = JSON.parse(
    JSON.stringify(minifyContractRouter(contract), (key, value) =>
      key === 'route'
        ? { method: value.method, path: value.path, inputStructure: value.inputStructure }
        : value,
    ),
  );
  const modules: Record<string, unknown> = {
    'virtual:contract': contractRoutes,
    // What /login needs of it.
    'virtual:auth-contract': contractRoutes.auth,
    'virtual:form-rules': forms,
  };
  return {
    name: 'cellar-door:contract-data',
    resolveId: (source) => (source in modules ? `\0${source}` : null),
    load: (id) =>
      id.startsWith('\0virtual:') && id.slice(1) in modules
        ? `export default ${JSON.stringify(modules[id.slice(1)])}`
        : null,
  };
}

// The server fills the placeholder when it hands out the page; src/web/api/site.ts reads it. It is put in from here
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

const staffSide = /src\/web\/(routes\/_staff|staff\/)/;
// What the bar can do without a server: the pages of its own device, and a pour that waits there.
const barWithoutServer =
  /src\/web\/(routes\/_staff(\.tsx|\/staff\.customers\.\$id\.add-pour\.tsx)|staff\/offline\/)/;

/** The chunks whose modules pass, with what they import, beginning at the page's own; and the fonts. */
function filesFrom(bundle: Rollup.OutputBundle, wanted: (module: string) => boolean): string[] {
  const files = new Set<string>();
  const add = (name: string) => {
    const file = bundle[name];
    if (file?.type !== 'chunk' || files.has(name) || !wanted(file.facadeModuleId ?? '')) return;
    files.add(name);
    for (const style of file.viteMetadata?.importedCss ?? []) files.add(style);
    for (const other of [...file.imports, ...file.dynamicImports]) add(other);
  };
  for (const [name, file] of Object.entries(bundle)) {
    if (file.type === 'chunk' && file.isEntry && file.name !== 'service-worker') add(name);
    if (preloadedFont.test(name)) files.add(name);
  }
  return [...files].map((name) => `/${name}`).sort();
}

/** What opens without a network: the member's side everywhere, the bar's on the devices of staff. */
function shellFiles(bundle: Rollup.OutputBundle): { files: string[]; staffFiles: string[] } {
  const files = filesFrom(bundle, (module) => !staffSide.test(module));
  const bar = filesFrom(bundle, (module) => !staffSide.test(module) || barWithoutServer.test(module));
  return { files, staffFiles: bar.filter((file) => !files.includes(file)) };
}

/** Installing: the link to the manifest, and the list of files that the service worker keeps. */
function installable(): Plugin {
  return {
    name: 'cellar-door:installable',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' as const },
    ],
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle['service-worker.js'];
        const html = bundle['index.html'];
        if (worker?.type !== 'chunk' || html?.type !== 'asset') {
          throw new Error('service-worker.js and index.html were not both built');
        }
        const files = shellFiles(bundle);
        const version = createHash('sha256')
          .update(JSON.stringify(files))
          .update(html.source)
          .digest('hex')
          .slice(0, 12);
        worker.code = `const __SHELL__ = ${JSON.stringify({ version, ...files })};\n${worker.code}`;
      },
    },
  };
}

export default defineConfig({
  root: at('src/web'),
  base: '/',
  plugins: [
    contractData(),
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
    installable(),
  ],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data: URLs for scripts, styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: at('src/web/index.html'), 'service-worker': at('src/web/app/service-worker.ts') },
      output: {
        // A service worker's address is its name: it must stay the same, and speak for the whole site.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
        // Every page needs these. Left alone they are cut along the seams of the routes: more files, worse packed.
        codeSplitting: {
          groups: [
            {
              name: 'shell',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store))\//,
            },
            {
              name: 'parts',
              test: /src\/web\/ui\/(button|button-style|card|class-names|field|icon|notice|page-shell|page-title|password-field|spinner|text-field|use-form|read-field|form-error)\.tsx?$|virtual:form-rules$/,
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
