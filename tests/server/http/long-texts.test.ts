import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyLimitOf } from '../../../src/server/api/body-limits.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { filled, INPUTS, textFieldsOf } from '../../support/texts/text-fields.ts';

/** Milliseconds in which the probe of a service manager has to be answered. */
const LIMIT = 100;
/** A busy machine is slow now and then; a text that stops the server does so each time. */
const TRIES = 12;
/** The longest request line and headers that Node reads are 16 KB. */
const LONGEST_PATH = 8000;

let app: TestApp;
let callers: Caller[];
beforeAll(async () => {
  app = await createTestApp({ limitAttempts: false });
  callers = [await app.customer(), await app.staff()];
});
afterAll(() => app.close());

const CALLS = INPUTS.filter(({ input }) => textFieldsOf(input, '').length > 0);

interface Request {
  method: string;
  path: string;
  body: string | null;
}

/** The call with as much text as the server reads: in each field of its body in turn. */
function longestRequests({ method, path, input }: (typeof CALLS)[number], unit: string): Request[] {
  const inPath = encodeURIComponent(unit.repeat(LONGEST_PATH / 10 / unit.length));
  const to = `/api${path.replaceAll(/\{\w+\}/g, inPath)}`;
  if (method === 'GET') {
    const query = new URLSearchParams(filled(input, inPath) as Record<string, string>);
    return [{ method, path: `${to}?${query}`.slice(0, LONGEST_PATH), body: null }];
  }
  const short = filled(input, 'x') as object;
  const long = filled(input, unit.repeat((bodyLimitOf(input) - 2000) / unit.length)) as object;
  return Object.entries(long).map(([name, value]) => {
    return { method, path: to, body: JSON.stringify({ ...short, [name]: value }) };
  });
}

it.each(['a', '@'])('the server is alive within 100 ms beside calls full of %j', async (unit) => {
  const slow: string[] = [];
  const probeMs = async (caller: Caller, { method, path, body }: Request) => {
    const answer = caller.raw(method, path, { headers: { 'content-type': 'application/json' }, body });
    const began = performance.now();
    await fetch(`${app.url}/healthz`);
    const ms = performance.now() - began;
    expect((await answer).status, path).toBeGreaterThanOrEqual(400);
    return ms;
  };
  for (const call of CALLS) {
    for (const request of longestRequests(call, unit)) {
      for (const caller of callers) {
        let ms = Number.POSITIVE_INFINITY;
        for (let tries = 0; tries < TRIES && ms >= LIMIT; tries += 1) {
          ms = Math.min(ms, await probeMs(caller, request));
        }
        if (ms >= LIMIT) slow.push(`${call.name}: ${ms.toFixed(0)} ms`);
      }
    }
  }
  expect(slow).toEqual([]);
});
