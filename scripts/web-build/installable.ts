import { createHash } from 'node:crypto';
import type { Plugin, Rolldown } from 'vite';

/** Fonts with English letters, and the accents of most names. */
const KEPT_FONT = /\/(title|text)-(english|latin)-[\w-]{8}\.woff2$/;

const staffSide = /src\/web\/staff\//;
/** The bar pages that work without a server: the offline page, and the pour page, which queues. */
const barWithoutServer = /src\/web\/staff\/(staff-layout\.tsx|pours\/add-pour-page\.tsx|offline\/)/;

/** The entry script of every page. */
export const isMain = ({ moduleIds }: Rolldown.OutputChunk) =>
  moduleIds.some((id) => id.endsWith('/src/web/app/main.tsx'));

/**
 * The entry script and the chunks that it imports, directly or through others, except those of unwanted modules; all
 * styles, and the fonts.
 */
function filesFrom(bundle: Rolldown.OutputBundle, isIncluded: (module: string) => boolean): string[] {
  const files = new Set<string>();
  const add = (name: string) => {
    const file = bundle[name];
    if (file?.type !== 'chunk' || files.has(name) || !isIncluded(file.facadeModuleId ?? '')) return;
    files.add(name);
    for (const other of [...file.imports, ...file.dynamicImports]) add(other);
  };
  for (const [name, file] of Object.entries(bundle)) {
    if (file.type === 'chunk' && isMain(file)) add(name);
    if (KEPT_FONT.test(name) || name.endsWith('.css')) files.add(name);
  }
  return [...files].map((name) => `/${name}`).sort();
}

/** Files that work without a network: the member pages everywhere, the bar's on staff devices. */
function shellFiles(bundle: Rolldown.OutputBundle): { files: string[]; staffFiles: string[] } {
  const files = filesFrom(bundle, (module) => !staffSide.test(module));
  const bar = filesFrom(bundle, (module) => !staffSide.test(module) || barWithoutServer.test(module));
  return { files, staffFiles: bar.filter((file) => !files.includes(file)) };
}

/** Makes the app installable: adds the link to the manifest, and the list of files that the service worker caches. */
export function installable(): Plugin {
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
