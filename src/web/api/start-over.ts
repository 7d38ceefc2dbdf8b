import { START_OVER_PATH } from '../../contract/site.ts';

const ASK_EVERY_MS = 500;
const TIMEOUT_MS = 120_000;

/** How often the demo has started over; null while it does not answer. */
async function readRun(): Promise<number | null> {
  try {
    const response = await fetch(START_OVER_PATH);
    return response.ok ? ((await response.json()) as { run: number }).run : null;
  } catch {
    return null;
  }
}

/** Has the demo make its data again, and resolves when it is open again. Throws if it refuses, or takes too long. */
export async function startDemoOver(): Promise<void> {
  const response = await fetch(START_OVER_PATH, { method: 'POST' });
  if (!response.ok) throw new Error(`start over ${response.status}`);
  const { run } = (await response.json()) as { run: number };
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    await new Promise((waited) => setTimeout(waited, ASK_EVERY_MS));
    const now = await readRun();
    if (now !== null && now !== run) return;
  }
  throw new Error('The demo did not open again');
}
