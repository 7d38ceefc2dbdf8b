import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Plugin, type Rolldown, build as viteBuild } from 'vite';
import {
  FRAMES_FILE,
  type Page,
  WEB_BUILD_FILE,
  type WebBuild,
  type WebFile,
} from '../../src/server/http/pages/web-build.ts';
import { isMain } from './installable.ts';
import { readPages } from './pages.ts';

/** File types worth compressing; pictures and fonts are compressed already. */
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.wasm']);
/** Not served directly: the server makes pages from it. */
const DOCUMENT = 'index.html';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A file that only a build with the smallest files has. */
const SMALLEST = '.smallest';

/**
 * Writes the list of files that each page needs (src/server/http/pages/web-build.ts) and the compressed form of each, with
 * `smallest` at the highest levels, which take longer than the rest of the build.
 */
export function webFiles({ smallest }: { smallest: boolean }): Plugin {
  return {
    name: 'cellar-door:web-files',
    apply: 'build',
    writeBundle: {
      order: 'post',
      async handler({ dir = '' }, bundle) {
        const names = readdirSync(dir, { recursive: true, withFileTypes: true })
          .filter((it) => it.isFile() && it.name !== DOCUMENT)
          .map((it) => join(it.parentPath, it.name).slice(dir.length).replaceAll('\\', '/'));
        const files = await Promise.all(
          names.map(async (name) => [name, await prepare(dir, name, smallest)] as const),
        );
        const build: WebBuild = { files: Object.fromEntries(files), pages: await pagesOf(bundle) };
        await writeFile(join(dir, WEB_BUILD_FILE), JSON.stringify(build));
        await buildFrames(dir);
        if (smallest) await writeFile(join(dir, SMALLEST), '');
      },
    },
  };
}

/** Builds the function that draws a page's first state, until its scripts run, as a module for the server. */
async function buildFrames(outDir: string): Promise<void> {
  await viteBuild({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, '../../src/web/app/page-frames.tsx'),
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: FRAMES_FILE } },
    },
  });
}

async function prepare(dir: string, name: string, isSmallest: boolean): Promise<WebFile> {
  const content = await readFile(join(dir, name));
  const etag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  if (!COMPRESSIBLE.has(extname(name))) return { etag, compressed: false };
  const [br, gz] = await Promise.all([
    brotli(content, {
      params: {
        // The highest level would take most of the build's time for the largest file, and gain little.
        [constants.BROTLI_PARAM_QUALITY]: !isSmallest ? 5 : content.length > 500_000 ? 9 : 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    zip(content, { level: isSmallest ? 9 : 6 }),
  ]);
  await Promise.all([writeFile(join(dir, `${name}.br`), br), writeFile(join(dir, `${name}.gz`), gz)]);
  return { etag, compressed: true };
}

/** The side of each page, and its scripts beyond those in the document. */
async function pagesOf(bundle: Rolldown.OutputBundle): Promise<Record<string, Page>> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const withImports = (name: string, names = new Set<string>()): Set<string> => {
    const file = bundle[name];
    if (file?.type !== 'chunk' || names.has(name)) return names;
    names.add(name);
    for (const other of file.imports) withImports(other, names);
    return names;
  };
  const mainChunk = chunks.find(isMain);
  if (!mainChunk) throw new Error('No chunk has src/web/app/main.tsx');
  const mainFiles = withImports(mainChunk.fileName);
  const scriptsOf = (module: string): string[] => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
    if (!chunk) throw new Error(`No chunk has ${module}`);
    return [...withImports(chunk.fileName)];
  };
  const { pages, layouts } = await readPages();
  return Object.fromEntries(
    pages.map(({ path, side, file }) => {
      const scripts = new Set(
        file ? [...scriptsOf(file), ...(side === 'visitor' ? [] : scriptsOf(layouts[side]))] : [],
      );
      return [path, { side, scripts: [...scripts].filter((it) => !mainFiles.has(it)).map((it) => `/${it}`) }];
    }),
  );
}
