/** Sizes are as transferred, without what the page would load later. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { chromiumOptions } from '../tests/support/harness/chromium.ts';
import { dataFolder } from '../tests/support/harness/installation.ts';
import { startIn } from './parts/server.ts';

const folder = resolve(import.meta.dirname, '../dist/web');
const route = `/${process.argv[2] ?? 'login'}`;

/** KB gzipped, measured when the libraries were chosen. */
const REFERENCES = { 'React alone': 62, 'React with a router and split routes': 92, 'the usual stack': 272 };

async function load(url: string): Promise<{ paths: string[]; document: Buffer }> {
  const browser = await chromium.launch(await chromiumOptions());
  try {
    const page = await browser.newPage({ serviceWorkers: 'block' });
    const paths = new Set<string>();
    page.on('request', (request) => paths.add(new URL(request.url()).pathname));
    const document = await page.goto(url, { waitUntil: 'networkidle' });
    if (!document?.ok()) throw new Error(`${url} answered ${document?.status()}`);
    return { paths: [...paths], document: await document.body() };
  } finally {
    await browser.close();
  }
}

const server = await startIn(dataFolder());
const { paths, document } = await load(`${server.url}${route}`).finally(() => server.remove());
const ending = (end: RegExp) => paths.filter((path) => end.test(path));
const groups: Record<string, string[]> = {
  document: [route],
  scripts: ending(/\.js$/),
  styles: ending(/\.css$/),
  'fonts (already compressed)': ending(/\.woff2$/),
};

const kb = (bytes: number) => (bytes / 1024).toFixed(1);
const sizes = (path: string) => {
  const bytes = path === route ? document : readFileSync(join(folder, path));
  if (path.endsWith('.woff2')) return [bytes.length, bytes.length, bytes.length] as const;
  return [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length] as const;
};
const sum = (paths: string[], column: 0 | 1 | 2) =>
  paths.reduce((total, path) => total + sizes(path)[column], 0);

console.log(`${route}: KB (1024 bytes)\n\n| part | files | plain | gzip | brotli |\n|---|---|---|---|---|`);
for (const [name, paths] of Object.entries(groups)) {
  console.log(
    `| ${name} | ${paths.length} | ${kb(sum(paths, 0))} | ${kb(sum(paths, 1))} | ${kb(sum(paths, 2))} |`,
  );
}
const gzipSize = sum(groups.scripts ?? [], 1) / 1024;
console.log('\n| scripts against | KB gzip | times |\n|---|---|---|');
for (const [name, size] of Object.entries(REFERENCES)) {
  console.log(`| ${name} | ${size} | ${(gzipSize / size).toFixed(2)} |`);
}
console.log('\nThe largest scripts, gzip:');
for (const path of (groups.scripts ?? []).toSorted((a, b) => sizes(b)[1] - sizes(a)[1]).slice(0, 6)) {
  console.log(`  ${kb(sizes(path)[1]).padStart(7)}  ${path}`);
}
