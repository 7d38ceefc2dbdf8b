import { readEnv } from '../src/server/config/env.ts';

// Moves the clock of the running sandbox and of the demo forward. Renewals, failed payments and ended memberships
// happen on the way.
const [by] = process.argv.slice(2);
if (!by || !/^\d+ (day|week|month|year)s?$/.test(by)) {
  console.error("Usage: npm run sandbox:clock -- '1 month'   (days, weeks, months or years; forward only)");
  process.exit(2);
}
const env = readEnv(process.env);
const host = env.SANDBOX_HOST === '0.0.0.0' ? '127.0.0.1' : env.SANDBOX_HOST;
const url = `http://${host}:${env.SANDBOX_PORT ?? env.PORT + 1}/_sandbox/clock`;
try {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: by }),
  });
  const body = (await answer.json()) as { now_iso?: string };
  if (!answer.ok) throw new Error(JSON.stringify(body));
  console.log(`The sandbox clock is at ${body.now_iso}.`);
} catch (error) {
  console.error(`No sandbox answered at ${url}. Is the demo running on this port?\n${String(error)}`);
  process.exit(1);
}
