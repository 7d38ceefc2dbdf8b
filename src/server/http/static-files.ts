import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { isPage } from '../../contract/pages.ts';
import type { Site } from '../../contract/site.ts';
import { webManifest } from './web-manifest.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.wasm']);

interface Served {
  type: string;
  plain: Buffer<ArrayBuffer>;
  br?: Buffer<ArrayBuffer>;
  gzip?: Buffer<ArrayBuffer>;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

async function prepare(content: Buffer, extension: string): Promise<Served> {
  const plain = Buffer.from(content);
  const type = TYPES[extension] ?? 'application/octet-stream';
  if (!COMPRESSIBLE.has(extension)) return { type, plain };
  const [br, gz] = await Promise.all([
    brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    zip(plain),
  ]);
  return { type, plain, br: Buffer.from(br), gzip: Buffer.from(gz) };
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (it) => `&#${it.charCodeAt(0)};`);

/** index.html with the site data filled in; '<' is escaped, so that no name can end the script element. */
export function renderIndex(html: string, site: Site): string {
  return html
    .replace('__SITE__', () => JSON.stringify(site).replaceAll('<', '\\u003c'))
    .replaceAll('__CLUB_NAME__', () => escapeHtml(site.club_name));
}

/**
 * The build of a web app, which changes whenever one of its files does: the page names them, with their hashes. Throws
 * when the app has not been built.
 */
export function buildOf(folder: string): string {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'index.html')))
    .digest('hex')
    .slice(0, 12);
}

/**
 * Serves the built web app: hashed files are cached forever, everything else is revalidated, and index.html answers for
 * every other path, with status 404 where the app has no page. Each file is compressed once. Throws when the app has not been built.
 */
export function staticFileHandler(folder: string, site: Site): (c: Context) => Promise<Response> {
  const indexFile = join(folder, 'index.html');
  if (!existsSync(indexFile)) throw new Error(`The web app is not built: ${indexFile} is missing`);
  const index = prepare(Buffer.from(renderIndex(readFileSync(indexFile, 'utf8'), site)), '.html');
  const manifest = prepare(Buffer.from(webManifest(site)), '.webmanifest');
  const kept = new Map<string, Promise<Served | null>>([['/manifest.webmanifest', manifest]]);

  const load = (path: string): Promise<Served | null> => {
    let file = kept.get(path);
    if (!file) {
      file = readFile(join(folder, path))
        .then((content) => prepare(content, extname(path)))
        .catch(() => null);
      file.then((it) => it ?? kept.delete(path));
      kept.set(path, file);
    }
    return file;
  };

  return async (c) => {
    const path = normalize(decodePath(c.req.path));
    const asset = isAsset(path) ? await load(path) : null;
    const immutable = asset !== null && path.startsWith('/assets/');
    if (!asset && path.startsWith('/assets/')) return c.text('Not found', 404);
    const { type, plain, br, gzip: gz } = asset ?? (await index);
    if (!asset && path !== '/index.html' && !isPage(path)) c.status(404);
    const accepts = c.req.header('accept-encoding') ?? '';
    c.header('Content-Type', type);
    c.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
    c.header('Vary', 'Accept-Encoding');
    if (br && /\bbr\b/.test(accepts)) {
      c.header('Content-Encoding', 'br');
      return c.body(br);
    }
    if (gz && /\bgzip\b/.test(accepts)) {
      c.header('Content-Encoding', 'gzip');
      return c.body(gz);
    }
    return c.body(plain);
  };
}

/** Whether browsers may have this file: not source maps, and not files that begin with a dot. */
function isAsset(path: string): boolean {
  return Object.hasOwn(TYPES, extname(path)) && !/(^|[/\\])\./.test(path) && path !== '/index.html';
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll('\0', '');
  } catch {
    return '/';
  }
}
