import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { createInstruments, type Instruments } from '../../../src/server/monitoring/instruments.ts';
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from '../../support/fakes/otlp-receiver.ts';
import { applied, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let receiver: OtlpReceiver;
let instruments: Instruments;
let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  receiver = await otlpReceiver();
  instruments = await createInstruments({
    metrics: false,
    tracing: {
      endpoint: `${receiver.url}/`,
      headers: { 'x-key': 'for the collector' },
      serviceName: 'cellar-door',
      version: '1.2.3',
      share: 1,
    },
  });
  app = await createTestApp({ instruments });
  staff = await app.staff();
});
afterAll(async () => {
  await app.close();
  await instruments.tracing?.close();
  await receiver.close();
});
beforeEach(async () => {
  await flush();
  receiver.spans.length = 0;
});

const flush = () => instruments.tracing?.flush();

/** The spans under one with this name, as 'name > name > name'. */
async function pathsFrom(root: string): Promise<string[]> {
  await flush();
  const byId = new Map(receiver.spans.map((span) => [span.id, span]));
  const path = (span: ReceivedSpan): string => {
    const parent = span.parent === null ? undefined : byId.get(span.parent);
    return parent ? `${path(parent)} > ${span.name}` : span.name;
  };
  return receiver.spans.map(path).filter((it) => it.startsWith(root));
}

it('a pour is one trace, from the request through the call to its statement', async () => {
  const { customer_id } = await venueMember(app, staff);
  await flush();
  receiver.spans.length = 0;
  const { headers } = await pour(staff, customer_id);
  const paths = await pathsFrom('POST pours.record');
  expect(paths).toContain('POST pours.record > pours.record > select record_pour');
  const request = receiver.spans.find((it) => it.name === 'POST pours.record');
  expect(request?.attributes).toMatchObject({
    'http.route': 'pours.record',
    'http.response.status_code': 201,
    'cellar_door.request': headers.get('x-request-id'),
  });
  const inside = receiver.spans.filter((it) => it.trace === request?.trace);
  const statement = inside.find((it) => it.name === 'select record_pour');
  expect(statement?.attributes['db.query.text']).toBe('select record_pour($1::jsonb) as answer');
});

it('requests to Stripe and to the model are part of the trace, without the ids in their paths', async () => {
  const member = await app.customer();
  const applicationId = await applied(member);
  await member.must('POST', '/api/functions/create-checkout', { tierName: 'select', applicationId });
  const paths = await pathsFrom('POST functions.createCheckout');
  expect(paths).toContain(
    'POST functions.createCheckout > functions.createCheckout > stripe POST /v1/checkout/sessions',
  );
  const { customer_id } = await venueMember(app, staff);
  await staff.must('POST', '/api/functions/generate-profile-summary', { customerId: customer_id });
  expect((await pathsFrom('POST functions.generateProfileSummary')).join('\n')).toMatch(
    /model POST \/\S*completions/,
  );
});

it('a refusal is not an error, and only its code is recorded', async () => {
  const { customer_id } = await venueMember(app, staff);
  await pour(staff, customer_id, { quantity: 10 });
  await flush();
  const refused = receiver.spans.filter((it) => it.attributes['error.type'] === 'POURS_EXCEEDED');
  expect(refused.map(({ name, failed }) => [name, failed])).toEqual([['pours.record', false]]);
});

it('a visitor cannot choose the trace, and statements of background work make none', async () => {
  await staff.raw('GET', '/api/tiers', {
    headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  });
  await flush();
  expect(receiver.spans.map((it) => it.trace)).not.toContain('0af7651916cd43dd8448eb211c80319c');
  receiver.spans.length = 0;
  await sweep(app.services.billing);
  await flush();
  expect(receiver.spans).toEqual([]);
});

it('no span contains a value: no email, no password, no name', async () => {
  await staff.must(
    'POST',
    '/api/auth/sign-in',
    await credentialsOf(await app.customer({ first_name: 'Zerlina' })),
  );
  await flush();
  expect(receiver.bodies.join('')).not.toMatch(/@example\.test|Zerlina/);
  expect(receiver.bodies.join('')).not.toContain(PASSWORD);
  expect(receiver.headers[0]?.['x-key']).toBe('for the collector');
});

async function credentialsOf(member: Caller) {
  const { user } = await member.must<{ user: { email: string } }>('GET', '/api/session');
  return { email: user.email, password: PASSWORD };
}
