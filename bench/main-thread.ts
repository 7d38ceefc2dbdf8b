/**
 * The tasks of the phone's main thread while a page opens: how long the processor worked on them, on a phone's processor that
 * is four times slower, and what they did. It measures the thread's own processor time, not the clock, so that other work
 * on the computer disturbs little. /login as a first visit; the others signed in and warm.
 *
 *     npm run bench -- main-thread [rounds] [folder of another checkout, built, to compare with, or - for none] [page ...]
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { chromiumOptions } from '../tests/support/harness/chromium.ts';
import { dataFolder, root, startThroughNpm } from '../tests/support/harness/installation.ts';
import { DEMO, openAs } from '../tests/support/harness/product.ts';
import { median } from './parts/timing.ts';
import { readTasks, type Task, TRACED, type TraceEvent } from './parts/trace-tasks.ts';

const SLOWER = 4;
const LONG_MS = 50;
/** How long to wait until the page is complete and idle. */
const SETTLE_MS = 2_500;

const PAGES: Record<string, { email: string | null; content: string }> = {
  '/login': { email: null, content: 'Sign in to your account' },
  '/dashboard': { email: DEMO.member, content: 'Give a membership' },
  '/qr-code': { email: DEMO.member, content: 'It changes every few minutes' },
  '/staff/dashboard': { email: DEMO.staff, content: 'left' },
};

const rounds = Number(process.argv[2] ?? 5);
const other = process.argv[3] && process.argv[3] !== '-' ? [process.argv[3]] : [];
const wanted = process.argv.slice(4);
const checkouts = [...other, root];

interface Load {
  /** The processor time of all tasks. */
  total: number;
  longest: number;
  /** The time of long tasks beyond 50 ms, from first contentful paint on. */
  blocking: number;
  tasks: Task[];
}

async function trace(browser: CDPSession, work: () => Promise<unknown>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  browser.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((done) => browser.once('Tracing.tracingComplete', done));
  await browser.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: TRACED },
  });
  await work();
  await browser.send('Tracing.end');
  await complete;
  return events;
}

async function load(page: Page, url: string, content: string): Promise<Load> {
  const browser = await page.context().newCDPSession(page);
  const events = await trace(browser, async () => {
    await page.goto(url);
    await setTimeout(SETTLE_MS);
  });
  // Not before: otherwise scripts of the test library would be among the tasks.
  await page.getByText(content).first().waitFor();
  await browser.detach();
  const { tasks, painted } = readTasks(events, url);
  const slow = tasks.map((task) => ({ ...task, ms: task.ms * SLOWER }));
  const late = slow.filter(({ ended, ms }) => ended > painted && ms > LONG_MS);
  return {
    total: slow.reduce((sum, { ms }) => sum + ms, 0),
    longest: Math.max(...slow.map(({ ms }) => ms)),
    blocking: late.reduce((sum, { ms }) => sum + ms - LONG_MS, 0),
    tasks: slow.filter(({ ms }) => ms > LONG_MS),
  };
}

/** A browser with a disk, whose cache of compiled scripts is part of a warm visit. */
async function openBrowser(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    ...(await chromiumOptions()),
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  });
}

async function warmUp(context: BrowserContext, url: string, email: string, content: string): Promise<void> {
  const page = await context.newPage();
  await openAs(page, url, email);
  await page.getByText(content).first().waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  // The second visit through the worker fills the cache of compiled scripts, the third reads it.
  for (let visit = 0; visit < 3; visit += 1) {
    await page.goto(url);
    await page.getByText(content).first().waitFor();
    await setTimeout(SETTLE_MS);
  }
  await page.close();
}

type Product = Awaited<ReturnType<typeof startThroughNpm>> & { folder: ReturnType<typeof dataFolder> };
const products: Product[] = [];
const measured = new Map<string, Load[][]>();
try {
  for (const checkout of checkouts) {
    const folder = dataFolder();
    products.push({ folder, ...(await startThroughNpm(folder.path, {}, checkout)) });
  }
  for (const [path, { email, content }] of Object.entries(PAGES)) {
    if (wanted.length > 0 && !wanted.includes(path)) continue;
    const loads: Load[][] = products.map(() => []);
    measured.set(path, loads);
    const nameOf = (index: number, round: number) =>
      join(products[index]?.folder.path ?? '', `browser${path.replaceAll('/', '-')}${email ? '' : round}`);
    if (email) {
      for (const [index, { url }] of products.entries()) {
        const context = await openBrowser(nameOf(index, 0));
        await warmUp(context, url + path, email, content);
        await context.close();
      }
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { url }] of products.entries()) {
        const context = await openBrowser(nameOf(index, round));
        loads[index]?.push(await load(await context.newPage(), url + path, content));
        await context.close();
      }
    }
  }
} finally {
  for (const { npm, serverPid, folder } of products) {
    const ended = new Promise((done) => npm.once('exit', done));
    process.kill(serverPid, 'SIGTERM');
    await ended;
    folder.remove();
  }
}

const MEASURES = { total: 'all tasks, ms', longest: 'longest task, ms', blocking: 'blocking, ms' } as const;
const columns = products.length > 1 ? ['before', 'now', 'ratio'] : ['now'];
console.log(
  `| page, median of ${rounds} | | ${columns.join(' | ')} |\n|---|---|${columns.map(() => '---|').join('')}`,
);
for (const [path, loads] of measured) {
  for (const [measure, label] of Object.entries(MEASURES)) {
    const values = loads.map((each) => median(each.map((it) => it[measure as keyof typeof MEASURES])));
    const ratio = values.length > 1 ? [((values[1] ?? 0) / (values[0] ?? 1)).toFixed(2)] : [];
    console.log(`| ${path} | ${label} | ${[...values.map((it) => it.toFixed(0)), ...ratio].join(' | ')} |`);
  }
}
for (const [path, loads] of measured) {
  const last = loads.at(-1)?.toSorted((a, b) => a.total - b.total)[Math.floor(rounds / 2)];
  console.log(`\nLong tasks of ${path}:`);
  for (const { ms, began, parts } of last?.tasks ?? []) {
    const said = parts.map(([name, part]) => `${name} ${(part * SLOWER).toFixed(0)}`).join(', ');
    console.log(`- ${ms.toFixed(0)} ms at ${began.toFixed(0)}: ${said}`);
  }
}
