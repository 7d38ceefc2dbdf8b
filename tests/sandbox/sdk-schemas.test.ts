import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { allRoutes } from '../../sandbox/payments/http/all-routes.ts';
import { isKnown } from '../../sandbox/payments/http/known-params.ts';
import type { Shape } from '../../sandbox/payments/http/params.ts';
import { routeKey } from '../../sandbox/payments/http/routes.ts';
import { makeSchemas } from '../../sandbox/payments/schema/make-schemas.ts';

const stored = (name: string) =>
  gunzipSync(readFileSync(new URL(`../../sandbox/payments/schema/${name}`, import.meta.url))).toString();

test('the stored schemas are those of the installed SDK', async () => {
  const { objects, requests } = await makeSchemas();
  // Compared as a whole, because a diff of a megabyte is useless.
  expect(objects === stored('stripe.schema.json.gz')).toBe(true);
  expect(requests === stored('stripe.requests.json.gz')).toBe(true);
}, 120_000);

/** The paths of all parameters that a route of the sandbox reads: `['items', 'price']`. */
function pathsOf(shape: Shape, above: string[] = []): string[][] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const path = [...above, name];
    return [path, ...(field.shape ? pathsOf(field.shape, path) : [])];
  });
}

test('the sandbox reads no parameter that Stripe does not know', () => {
  const unknown = allRoutes.flatMap((route) => {
    const key = routeKey(route);
    return pathsOf(route.shape)
      .filter((path) => !isKnown(key, path))
      .map((path) => `${key} ${path.join('.')}`);
  });
  expect(unknown).toEqual([]);
  expect(isKnown('POST /v1/checkout/sessions', ['line_items', 'price_data', 'currency'])).toBe(true);
  expect(isKnown('POST /v1/checkout/sessions', ['payment_method_types'])).toBe(false);
});
