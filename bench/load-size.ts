/**
 * What a browser loads for /login from the built web app (dist/web, from `npm run build`), in bytes as
 * transferred: the page, its scripts and what those import, the script of the route, styles and fonts.
 *
 *     npm run bench -- load-size [route, such as register]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const folder = resolve(import.meta.dirname, '../dist/web');
const route = process.argv[2] ?? 'login';

/** KB gzipped, measured when the libraries were chosen. */
const REFERENCES = { 'React alone': 62, 'React with a router and split routes': 92, 'the usual stack': 272 };

if (!existsSync(join(folder, 'index.html'))) {
  console.error('There is no built web app. Run npm run build first.');
  process.exit(1);
}
const page = readFileSync(join(folder, 'index.html'), 'utf8');

/** Paths in tags of the page, relative to the folder. */
const named = (pattern: RegExp) => [...page.matchAll(pattern)].map((it) => String(it[1]).replace(/^\//, ''));

/** A script and everything it imports statically. */
function withImports(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const source = readFileSync(join(folder, path), 'utf8');
  for (const [, file] of source.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g)) {
    withImports(posix.join(posix.dirname(path), String(file)), seen);
  }
  return seen;
}

const scripts = new Set<string>();
for (const path of [
  ...named(/<script[^>]*\bsrc="([^"]+\.js)"/g),
  ...named(/<link[^>]*rel="modulepreload"[^>]*href="([^"]+\.js)"/g),
  ...readdirSync(join(folder, 'assets'))
    .filter((it) => it.startsWith(`${route}-`) && it.endsWith('.js'))
    .map((it) => `assets/${it}`),
]) {
  withImports(path, scripts);
}

const groups: Record<string, string[]> = {
  page: ['index.html'],
  scripts: [...scripts],
  styles: named(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g),
  'fonts (already compressed)': named(/<link[^>]*as="font"[^>]*href="([^"]+)"/g),
};

const kb = (bytes: number) => (bytes / 1024).toFixed(1);
const sizes = (path: string) => {
  const bytes = readFileSync(join(folder, path));
  if (path.endsWith('.woff2')) return [bytes.length, bytes.length, bytes.length] as const;
  return [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length] as const;
};
const sum = (paths: string[], which: 0 | 1 | 2) =>
  paths.reduce((total, path) => total + sizes(path)[which], 0);

console.log(`/${route}: KB (1024 bytes)\n\n| part | files | plain | gzip | brotli |\n|---|---|---|---|---|`);
for (const [name, paths] of Object.entries(groups)) {
  console.log(
    `| ${name} | ${paths.length} | ${kb(sum(paths, 0))} | ${kb(sum(paths, 1))} | ${kb(sum(paths, 2))} |`,
  );
}
const gzipped = sum(groups.scripts ?? [], 1) / 1024;
console.log('\n| scripts against | KB gzip | times |\n|---|---|---|');
for (const [name, size] of Object.entries(REFERENCES)) {
  console.log(`| ${name} | ${size} | ${(gzipped / size).toFixed(2)} |`);
}
console.log('\nThe largest scripts, gzip:');
for (const path of [...scripts].toSorted((a, b) => sizes(b)[1] - sizes(a)[1]).slice(0, 6)) {
  console.log(`  ${kb(sizes(path)[1]).padStart(7)}  ${path}`);
}
