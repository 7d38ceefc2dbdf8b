import { createRequire } from 'node:module';
import { build } from 'vite';
import {
  authJsJourney,
  type CallClient,
  type ClientAnswer,
  EXPECTED_ANSWERS,
} from '../support/fixtures/auth-js-journey.ts';
import { expect, newEmail, test } from '../support/harness/product.ts';

/** The client library bundled for a page: `window.authJs`. */
async function bundledClient(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@supabase/auth-js');
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'authJs', fileName: 'auth-js' } },
  });
  const [chunk] = [made].flat().flatMap((it) => ('output' in it ? it.output : []));
  if (chunk?.type !== 'chunk') throw new Error('The client library was not bundled');
  return `${chunk.code}\nwindow.authJs = authJs;`;
}

test('the client library of apps, unchanged, goes through its whole journey in a page', async ({
  page,
  product,
  allowErrors,
}) => {
  // The browser reports refusals: of the identity, and of the signed-out user.
  allowErrors(/the server responded with a status of 4/);
  await page.goto(`${product.url}/login`);
  await page.evaluate(await bundledClient());
  await page.evaluate(() => {
    const made = window as unknown as { authJs: typeof import('@supabase/auth-js'); client: unknown };
    made.client = new made.authJs.AuthClient({ url: `${location.origin}/api/auth` });
  });
  const call: CallClient = (method, ...args) =>
    page.evaluate(
      async ([name, given]) => {
        const { client } = window as unknown as { client: object };
        const [first = '', second] = name.split('.');
        const owner = second ? Reflect.get(client, first) : client;
        const method = Reflect.get(owner, second ?? first) as (...given: unknown[]) => Promise<ClientAnswer>;
        const { data, error } = await method.apply(owner, [...given]);
        const { status, message } = error ?? {};
        return {
          data: JSON.parse(JSON.stringify(data ?? null)),
          error: error && { status, message: String(message) },
        };
      },
      [method, args] as const,
    );
  expect(await authJsJourney(call, newEmail())).toEqual(EXPECTED_ANSWERS);
});
