import { isContractProcedure } from '@orpc/contract';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import type { Caller } from '../support/caller.ts';
import { applied, venueMember } from '../support/factories.ts';

/** Who may call what: 'C' customers, 'S' staff. A procedure that is not here fails the first test. */
const ACCESS: Record<string, 'C' | 'S' | 'CS'> = {
  'tiers.list': 'CS',
  'tiers.get': 'CS',
  'applications.mine': 'C',
  'applications.save': 'C',
  'applications.list': 'S',
  'applications.get': 'S',
  'applications.approve': 'S',
  'applications.reject': 'S',
  'members.me': 'C',
  'members.list': 'S',
  'members.get': 'S',
  'members.atBar': 'S',
  'pours.mine': 'C',
  'pours.months': 'C',
  'pours.ofCustomer': 'S',
  'pours.record': 'S',
  'pours.void': 'S',
  'profile.update': 'C',
  'profile.taste': 'C',
  'changes.mine': 'C',
  'sessions.mine': 'CS',
  'sessions.end': 'CS',
  'sessions.endOthers': 'CS',
  'machines.mine': 'CS',
  'machines.create': 'CS',
  'machines.end': 'CS',
  'identities.mine': 'CS',
  'identities.unlink': 'CS',
  'billing.previewTier': 'C',
  'billing.changeTier': 'C',
  'billing.keepTier': 'C',
  'passkeys.mine': 'CS',
  'passkeys.rename': 'CS',
  'passkeys.remove': 'CS',
  'billing.resume': 'C',
  'billing.updateCard': 'C',
  'billing.invoicePage': 'C',
  'billing.payments': 'C',
  'privacy.download': 'CS',
  'privacy.remove': 'C',
  'functions.verifySubscriptionStatus': 'C',
  'functions.getAvailablePours': 'CS',
  'functions.generateQrToken': 'C',
  'functions.getSubscriptionDetails': 'C',
  'functions.cancelSubscription': 'C',
  'functions.createCheckout': 'C',
  'functions.verifyQrToken': 'S',
  'functions.generateProfileSummary': 'S',
};

interface Route {
  name: string;
  method: string;
  path: string;
}

const routes: Route[] = Object.entries(contract).flatMap(([noun, procedures]) =>
  Object.entries(procedures).map(([verb, procedure]) => {
    if (!isContractProcedure(procedure)) throw new Error(`${noun}.${verb} is no procedure`);
    const { method = 'POST', path = '' } = procedure['~orpc'].route;
    const filled = path.replace(/\{\w+\}/g, '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f');
    return { name: `${noun}.${verb}`, method, path: `/api${filled}` };
  }),
);

let app: TestApp;
let callers: Record<'visitor' | 'customer' | 'staff', Caller>;
beforeAll(async () => {
  app = await createTestApp();
  callers = { visitor: app.visitor(), customer: await app.customer(), staff: await app.staff() };
});
afterAll(() => app.close());

it('every procedure has its row', () => {
  expect(routes.map((it) => it.name).sort()).toEqual(Object.keys(ACCESS).sort());
});

describe.each(routes)('$name', ({ name, method, path }) => {
  const call = async (who: keyof typeof callers) => {
    const init = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    const response = await callers[who].raw(method, path, init);
    const { status, headers } = response;
    // A stream of events does not end by itself.
    if (headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel();
    else return { status, code: ((await response.json()) as { code?: string } | null)?.code };
    return { status, code: undefined };
  };
  const allowed = ACCESS[name] ?? '';

  // Whoever is let in gets past the guard: to a result, or to what the empty input deserves.
  test.each([
    ['visitor', false],
    ['customer', allowed.includes('C')],
    ['staff', allowed.includes('S')],
  ] as const)('%s: %s', async (who, lets) => {
    const { status, code } = await call(who);
    if (lets) expect([401, 403]).not.toContain(status);
    else if (who === 'visitor') expect({ status, code }).toEqual({ status: 401, code: 'NOT_SIGNED_IN' });
    else expect({ status, code }).toEqual({ status: 403, code: 'NOT_ALLOWED' });
    expect(status).toBeLessThan(500);
  });
});

describe('another member’s rows', () => {
  it('are not to be had by their ids', async () => {
    const other = await venueMember(app, callers.staff);
    const { customer } = callers;
    const attempts = await Promise.all([
      customer.call('POST', '/api/functions/get-available-pours', { customer_id: other.customer_id }),
      customer.call('GET', `/api/customers/${other.customer_id}`),
      customer.call('GET', `/api/customers/${other.customer_id}/pours`),
    ]);
    expect(attempts.map((it) => it.status)).toEqual([404, 403, 403]);
  });

  it('cannot be paid for or resumed with their application', async () => {
    const other = await app.customer();
    const applicationId = await applied(other);
    const { customer } = callers;
    const wish = { tierName: 'select', applicationId };
    expect(await customer.call('POST', '/api/functions/create-checkout', wish)).toMatchObject({
      status: 404,
    });
    const forged = { ...wish, userId: other.id };
    expect(await customer.call('POST', '/api/functions/create-checkout', forged)).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED' },
    });
  });
});
