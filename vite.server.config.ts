import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';
import { BUNDLED, NOT_BUNDLED } from './scripts/builds.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** A module's location, or with it the file of a thread. */
const LOCATION = /new URL\(["']\.\/([\w-]+-worker)\.ts["'], import\.meta\.url\)|import\.meta\.url/g;

/**
 * A source file finds what lies beside it (migrations, SQL functions) from wherever its code has been put. Threads are
 * entries of the bundle, beside the code that starts them.
 */
function sourceLocations(): Plugin {
  let outDir = '';
  return {
    name: 'cellar-door:source-locations',
    configResolved: (config) => {
      outDir = config.build.outDir;
    },
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return;
      const path = relative(outDir, id).split(sep).join('/');
      return {
        code: code.replaceAll(LOCATION, (_, thread?: string) =>
          thread ? `new URL('./${thread}.js', import.meta.url)` : `new URL('${path}', import.meta.url).href`,
        ),
        // The replacements move no line, so the map stays right.
        map: null,
      };
    },
  };
}

// From sources a start reads some 2,000 files, most of them in packages; bundled, a dozen.
export default defineConfig({
  root,
  publicDir: false,
  plugins: [sourceLocations()],
  ssr: {
    target: 'node',
    noExternal: true,
    external: NOT_BUNDLED,
  },
  build: {
    ssr: true,
    outDir: fileURLToPath(new URL('./dist/server', import.meta.url)),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(BUNDLED).map(([name, file]) => [name, root + file])),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
