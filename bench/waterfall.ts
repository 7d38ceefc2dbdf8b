/** Cold: a browser's first visit. Warm: the same page again, with the browser's cache and the service worker. */
import { chromium, type Page } from '@playwright/test';
import { chromiumOptions } from '../tests/support/harness/chromium.ts';
import { dataFolder, root, startThroughNpm } from '../tests/support/harness/installation.ts';
import { DEMO, openAs } from '../tests/support/harness/product.ts';
import { median } from './parts/timing.ts';

const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000, offline: false };
const PROCESSOR = 4;
const CONTENT = 'Resets on your monthly billing date';

const rounds = Number(process.argv[2] ?? 5);
const checkouts = [...(process.argv[3] ? [process.argv[3]] : []), root];

interface Load {
  /** Time from the start of the navigation until the content was painted. */
  ms: number;
  /** Totals up to that time. */
  requests: number;
  kilobytes: number;
  /** The longest chain of sequential requests among those needed, starting with the document. */
  trips: number;
}

/** Times in seconds of the browser's clock. */
interface Seen {
  path: string;
  began: number;
  ended: number;
  bytes: number;
}

/** The API calls the content waits for, in either checkout, and scripts and styles. */
const NEEDED = /\.(js|css)$|^\/dashboard$|^\/api\/(session|customers\/own|functions\/get-available-pours)$/;

function tripsOf(requests: Seen[]): number {
  let [trips, last] = [0, Number.NEGATIVE_INFINITY];
  for (const { began, ended } of requests.toSorted((a, b) => a.ended - b.ended)) {
    if (began < last) continue;
    trips += 1;
    last = ended;
  }
  return trips;
}

async function load(page: Page, visit: () => Promise<unknown>): Promise<Load> {
  const browser = await page.context().newCDPSession(page);
  const requests = new Map<string, Seen>();
  await browser.send('Network.enable');
  await browser.send('Network.emulateNetworkConditions', SLOW);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR });
  browser.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    const path = new URL(request.url).pathname;
    requests.set(requestId, { path, began: timestamp, ended: Number.POSITIVE_INFINITY, bytes: 0 });
  });
  browser.on('Network.loadingFinished', ({ requestId, timestamp }) => {
    const request = requests.get(requestId);
    if (request) request.ended = timestamp;
  });
  browser.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes += encodedDataLength;
  });
  const count = page.waitForFunction(
    (text) => {
      if (!document.body?.textContent?.includes(text)) return null;
      // Painted in the next frame.
      return new Promise<number>((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))),
      );
    },
    CONTENT,
    { polling: 'raf', timeout: 60_000 },
  );
  await visit();
  const ms = (await (await count).jsonValue()) as number;
  const [first] = [...requests.values()];
  const content = (first?.began ?? 0) + ms / 1000;
  const until = [...requests.values()].filter(({ began }) => began <= content);
  await browser.detach();
  return {
    ms,
    requests: until.length,
    kilobytes: until.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
    trips: tripsOf(until.filter(({ path, ended }) => ended <= content && NEEDED.test(path))),
  };
}

const chrome = await chromium.launch(await chromiumOptions());
const start = async (checkout: string) => {
  const folder = dataFolder();
  const product = await startThroughNpm(folder.path, {}, checkout);
  return { ...product, folder, cold: [] as Load[], warm: [] as Load[] };
};
const products: Awaited<ReturnType<typeof start>>[] = [];
try {
  for (const checkout of checkouts) products.push(await start(checkout));
  for (let round = 0; round < rounds; round += 1) {
    for (const { url, cold, warm } of products) {
      const context = await chrome.newContext({
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      });
      const page = await context.newPage();
      cold.push(await load(page, () => openAs(page, `${url}/dashboard`, DEMO.member)));
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      // A blank page first, so that the previous page's content does not count.
      await page.goto('about:blank');
      warm.push(await load(page, () => page.goto(`${url}/dashboard`)));
      await context.close();
    }
  }
} finally {
  await chrome.close();
  for (const { npm, serverPid, folder } of products) {
    const exit = new Promise((resolve) => npm.once('exit', resolve));
    process.kill(serverPid, 'SIGTERM');
    await exit;
    folder.remove();
  }
}

const MEASURES = {
  ms: 'ms to content',
  requests: 'requests',
  trips: 'round trips',
  kilobytes: 'KB',
} as const;
const before = products.length > 1 ? ['before', 'now', 'ratio'] : ['now'];
console.log(
  `| dashboard, median of ${rounds} | | ${before.join(' | ')} |\n|---|---|${before.map(() => '---|').join('')}`,
);
for (const visit of ['cold', 'warm'] as const) {
  for (const [measure, label] of Object.entries(MEASURES)) {
    const values = products.map((product) =>
      median(product[visit].map((it) => it[measure as keyof typeof MEASURES])),
    );
    const ratio = values.length > 1 ? [((values[1] ?? 0) / (values[0] ?? 1)).toFixed(2)] : [];
    console.log(`| ${visit} | ${label} | ${[...values.map((it) => it.toFixed(0)), ...ratio].join(' | ')} |`);
  }
}
