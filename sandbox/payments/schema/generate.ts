import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { makeSchemas } from './make-schemas.ts';

/**
 * Writes stripe.schema.json.gz, the JSON Schema of every object that the sandbox serves, and stripe.requests.json.gz,
 * that of the parameters of every route, both made from the SDK. Run it after each update of the SDK, and after adding a
 * route: `node sandbox/payments/schema/generate.ts`
 */
const { objects, requests } = await makeSchemas();
for (const [name, text] of [
  ['stripe.schema.json.gz', objects],
  ['stripe.requests.json.gz', requests],
] as const) {
  const archive = gzipSync(text, { level: 9 });
  writeFileSync(new URL(name, import.meta.url), archive);
  console.log(`${name}: ${archive.length} bytes`);
}
