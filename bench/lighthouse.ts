/**
 * Scores are the median of the rounds. /login and /club are first visits; the other pages are warm, as on a return visit.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumOptions } from '../tests/support/harness/chromium.ts';
import { freePort } from '../tests/support/harness/free-port.ts';
import { dataFolder, startProcess } from '../tests/support/harness/installation.ts';
import { DEMO, openAs } from '../tests/support/harness/product.ts';
import { serveBarePage } from './parts/bare-page.ts';
import { median } from './parts/timing.ts';

const LIGHTHOUSE = process.env.LIGHTHOUSE ?? 'npx';
const PACKAGE = process.env.LIGHTHOUSE ? [] : ['--yes', 'lighthouse@13.5.0'];
/** React with the router and nothing else, as a measure of the computer. */
const BARE = 'a bare page';
/** The account signed in on each page; null for a visitor. */
const PAGES: Record<string, string | null> = {
  [BARE]: null,
  '/login': null,
  '/club': null,
  '/dashboard': DEMO.member,
  '/qr-code': DEMO.member,
  '/staff/dashboard': DEMO.staff,
};

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<
    string,
    { title: string; score: number | null; numericValue?: number; scoreDisplayMode: string }
  >;
}

const rounds = Number(process.argv[2] ?? 3);
const paths = process.argv.slice(3);
const folder = dataFolder();
const product = await startProcess({ DATA_DIR: folder.path });
const barePage = await serveBarePage(join(folder.path, 'bare-page'));
const urlOf = (path: string) => (path === BARE ? `${barePage.url}/` : `${product.url}${path}`);
const isWarm = (path: string) => path === BARE || Boolean(PAGES[path]);

/** Runs the program on a page of that browser. Rejects with its output if it fails. */
function lighthouse(url: string, port: number, isWarm: boolean): Promise<Report> {
  const flags = [
    `--port=${port}`,
    '--output=json',
    '--quiet',
    ...(isWarm ? ['--disable-storage-reset'] : []),
  ];
  const child = spawn(LIGHTHOUSE, [...PACKAGE, url, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [report, complaint] = ['', ''];
  child.stdout.on('data', (chunk) => {
    report += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(report)) : reject(new Error(complaint || `exit code ${code}`)),
    );
  });
}

/** A browser of its own for each page, since it is signed in once and its cache is part of what is measured. */
async function browserFor(
  path: string,
  email: string | null,
): Promise<{ context: BrowserContext; port: number }> {
  const port = await freePort();
  const context = await chromium.launchPersistentContext(
    join(folder.path, `browser${path.replaceAll(/\W/g, '-')}`),
    {
      ...(await chromiumOptions(`--remote-debugging-port=${port}`)),
    },
  );
  if (!isWarm(path)) return { context, port };
  const page = await context.newPage();
  if (email) await openAs(page, urlOf(path), email);
  else await page.goto(urlOf(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (email) await page.evaluate(() => navigator.serviceWorker.ready);
  // The second visit fills the cache of compiled scripts.
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.close();
  return { context, port };
}

const score = (reports: Report[], category: string) =>
  Math.round(100 * median(reports.map(({ categories }) => categories[category]?.score ?? 0)));
const value = (reports: Report[], audit: string) =>
  Math.round(median(reports.map(({ audits }) => audits[audit]?.numericValue ?? 0)));
const failedOf = ({ audits }: Report) =>
  Object.values(audits)
    .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
    .map(({ title }) => title);

try {
  const failures: string[] = [];
  console.log('| page | performance | accessibility | best practices | SEO | first paint | blocking |');
  console.log('|---|---|---|---|---|---|---|');
  for (const [path, email] of Object.entries(PAGES)) {
    if (paths.length > 0 && !paths.includes(path) && path !== BARE) continue;
    const { context, port } = await browserFor(path, email);
    const reports: Report[] = [];
    for (let round = 0; round < rounds; round += 1)
      reports.push(await lighthouse(urlOf(path), port, isWarm(path)));
    await context.close();
    const categories = ['performance', 'accessibility', 'best-practices', 'seo'].map((it) =>
      score(reports, it),
    );
    const [paint, blocking] = [
      value(reports, 'first-contentful-paint'),
      value(reports, 'total-blocking-time'),
    ];
    console.log(`| ${[path, ...categories, `${paint} ms`, `${blocking} ms`].join(' | ')} |`);
    failures.push(...reports.slice(0, 1).flatMap((report) => failedOf(report).map((it) => `${path}: ${it}`)));
  }
  for (const line of failures) console.log(line);
} finally {
  barePage.close();
  await product.stop();
  folder.remove();
}
