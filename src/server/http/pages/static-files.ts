import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { documentTheme, type Site, THEME_COOKIE } from '../../../contract/site.ts';
import type { EncodedLogo } from '../../pictures/encode-logo.ts';
import type { ReadPageFacts } from '../session-endpoint.ts';
import { clubFiles, clubStyleUrl, type Encoding, type Served } from './club-files.ts';
import { pageDocuments, readIndex, showsMembership } from './page-document.ts';
import { pageFinder } from './page-finder.ts';
import { readFrames, readWebBuild } from './web-build.ts';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The page that devices cache to open offline: for any path and without a user. */
const KEPT_PAGE_PATH = '/index.html';

const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** Serves a path; `read` reads the page's data about the user, or returns null if it cannot be read in time. */
export type WebHandler = (
  c: Context,
  read: ReadPageFacts,
  /** `gone`: the app's page at this path is permanently closed. `awaitsSetup`: nobody has set the club up yet. */
  options?: { gone?: boolean; awaitsSetup?: boolean },
) => Response | Promise<Response>;

/**
 * The build id of a web app: a hash of its page, which names its files by their hashes, so that the id changes with any
 * script or style. Throws if the app has not been built.
 */
export function buildOf(folder: string): string {
  return createHash('sha256').update(readIndex(folder)).digest('hex').slice(0, 12);
}

/**
 * Serves the files that the web build lists, using its compressed copies; hashed files are cached forever, the others
 * revalidated. Any other path gets the app's page, with status 404 if the app has no such page; a missing asset gets a plain
 * 404. Some files contain club settings; `logo` is read again when `site` returns another object. Throws if the app has not
 * been built.
 */
export function staticFileHandler(
  folder: string,
  site: () => Site,
  logo: () => EncodedLogo | null = () => null,
): WebHandler {
  const build = readWebBuild(folder);
  const pageAt = pageFinder(Object.keys(build.pages));
  const index = readIndex(folder);
  const renderFrame = readFrames(folder);
  const files = new Map<string, Served>();
  for (const [path, { etag, compressed }] of Object.entries(build.files)) {
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    files.set(path, { type, etag, compressed, content: contentOf(join(folder, path)) });
  }

  const prepare = (settings: Site) => {
    const picture = logo();
    const url = clubStyleUrl(settings, picture);
    return {
      settings,
      clubFiles: clubFiles(settings, picture),
      documentOf: pageDocuments(index, settings, build.pages, renderFrame, url),
    };
  };
  let pageFiles = prepare(site());

  return async (c, readFacts, { gone = false, awaitsSetup = false } = {}) => {
    const now = site();
    if (now !== pageFiles.settings) pageFiles = prepare(now);
    const { documentOf } = pageFiles;
    const path = decodePath(c.req.path);
    const file = pageFiles.clubFiles.get(path) ?? files.get(path);
    if (file) return sendFile(c, file, path.startsWith('/assets/') || isVersion(file, c.req.query('v')));
    if (path.startsWith('/assets/')) return c.text('Not found', 404);
    if (path === KEPT_PAGE_PATH) return sendPage(c, documentOf(null, null), 200);
    const page = gone ? null : pageAt(path);
    const facts =
      page === null ? null : await readFacts((session) => showsMembership(page, session, build.pages));
    for (const cookie of facts?.cookies ?? []) c.header('Set-Cookie', cookie, { append: true });
    // No preloads for our service worker's request: it caches the scripts, and browsers ignore preloads in its responses.
    const preload = c.req.header('service-worker-navigation-preload') === undefined;
    const theme = documentTheme(getCookie(c, THEME_COOKIE));
    return sendPage(c, documentOf(page, facts, { preload, theme, awaitsSetup }), page ? 200 : 404);
  };
}

function contentOf(file: string): Served['content'] {
  const contents = new Map<Encoding, Promise<Buffer<ArrayBuffer>>>();
  return (encoding) => {
    let content = contents.get(encoding);
    if (!content) {
      content = readFile(encoding ? file + SUFFIXES[encoding] : file);
      content.catch(() => contents.delete(encoding));
      contents.set(encoding, content);
    }
    return content;
  };
}

/** Whether the URL names the file's current version, so its content can never change. */
const isVersion = ({ version }: Served, query: string | undefined) =>
  version !== undefined && query === version;

async function sendFile(c: Context, file: Served, immutable: boolean): Promise<Response> {
  const encoding = file.compressed ? encodingFor(c) : null;
  // A strong tag identifies the exact bytes, so each encoding has its own.
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`;
  c.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  c.header('ETag', etag);
  if (file.compressed) c.header('Vary', 'Accept-Encoding');
  if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  const content = await file.content(encoding);
  c.header('Content-Type', file.type);
  if (encoding) c.header('Content-Encoding', encoding);
  return c.body(content);
}

/**
 * Sends a page. The app's pages say who is signed in, so no cache stores them, not even the browser's own: going back after
 * signing out loads a new one.
 */
export function sendPage(
  c: Context,
  html: string,
  status: 200 | 404,
  cacheControl = 'private, no-store',
): Response {
  c.header('Content-Type', 'text/html; charset=utf-8');
  c.header('Cache-Control', cacheControl);
  c.header('Vary', 'Accept-Encoding, Cookie');
  if (!accepts(c, 'gzip')) return c.body(html, status);
  c.header('Content-Encoding', 'gzip');
  return c.body(gzipSync(html), status);
}

const accepts = (c: Context, encoding: 'br' | 'gzip') =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(
    c.req.header('accept-encoding') ?? '',
  );

const encodingFor = (c: Context): Encoding => {
  if (accepts(c, 'br')) return 'br';
  return accepts(c, 'gzip') ? 'gzip' : null;
};

/** Whether the browser's copy is current. A proxy may have weakened the tag. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
