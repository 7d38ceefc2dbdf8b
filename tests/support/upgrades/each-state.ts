import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { stripeCustomerId } from '../billing/member-state.ts';
import { shareWith } from '../fixtures/household.ts';
import { aRequestId, cardMember, type Member, payAt, pour, venueMember } from '../fixtures/members.ts';
import type { TestApp } from '../harness/app.ts';
import type { Caller } from '../harness/caller.ts';
import { sandboxClient } from '../harness/sandbox-client.ts';

/** The states of members that a release's stored data holds, by what staff see at the bar. */
const MEMBER_STATES = [
  'active',
  'ending',
  'grace',
  'paused',
  'suspended',
  'ended',
  'venue',
  'inactive',
  'gift',
  'holder',
  'partner',
  'disputed',
] as const;

/**
 * Makes a member in each state by the acts that lead there, most with a pour. It takes 48 days of the app's clock. Returns
 * the ids of customers, and staff who are signed in afterwards.
 */
export async function membersInEachState(app: TestApp) {
  const { sandbox, services } = app;
  const stripe = createStripe({
    secretKey: sandbox.stripeSecretKey,
    apiUrl: sandbox.url,
    maxNetworkRetries: 0,
    httpClient: sandboxClient(sandbox),
  });
  const control = async (path: string, body: object = {}) => {
    const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  const pass = async (days: number) => {
    app.clock.advance({ days });
    await control('clock', { advance: 0 });
    await control('webhooks/idle');
    await sweep(services.billing);
  };
  const stripeCustomer = ({ caller }: Member) => stripeCustomerId(services.db, caller.id);
  const failFrom = async (member: Member) => {
    const customer = await stripeCustomer(member);
    const { id } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
  };
  const cancel = ({ caller }: Member) => caller.must('POST', '/api/functions/cancel-subscription', {});

  await control('settings', { dunning_days: [3, 5, 7], dunning_end: 'unpaid' });
  const [paused, suspended, ended] = [await cardMember(app), await cardMember(app), await cardMember(app)];
  await paused.caller.must('POST', '/api/billing/pause', { months: 2 });
  await failFrom(suspended);
  await cancel(ended);
  await pass(14);
  const grace = await cardMember(app);
  await failFrom(grace);
  await pass(31);
  await pass(3);

  const staff = await app.staff();
  const active = await cardMember(app, 'premier');
  const ending = await cardMember(app);
  await cancel(ending);
  const disputed = await cardMember(app);
  const { data } = await stripe.charges.list({ customer: await stripeCustomer(disputed), limit: 1 });
  await control('disputes', { charge: data[0]?.id });
  await control('webhooks/idle');
  const holder = await cardMember(app, 'household');
  const partner = await shareWith(app, holder);
  const venue = await venueMember(app, staff);
  const inactive = await venueMember(app, staff);
  const end = `/api/customers/${inactive.customer_id}/membership-end`;
  const { period_end } = await staff.must<{ period_end: string }>('GET', end);
  await staff.must('POST', end, { when: 'now', reason: 'other', period_end });
  const gift = await redeemed(app, active.caller);

  const all = {
    active,
    ending,
    grace,
    paused,
    suspended,
    ended,
    venue,
    inactive,
    gift,
    holder,
    partner,
    disputed,
  };
  for (const { customer_id } of [active, ending, grace, venue, gift, holder, partner])
    await pour(staff, customer_id);
  const ids = MEMBER_STATES.map((state) => [state, all[state].customer_id]);
  return { staff, customers: Object.fromEntries(ids) as Record<string, string> };
}

/** A member by a gift of that buyer. */
async function redeemed(app: TestApp, buyer: Caller): Promise<Member> {
  const request_id = aRequestId();
  const { url } = await buyer.must<{ url: string }>('POST', '/api/gifts', {
    request_id,
    tier: 'select',
    months: 3,
    from_name: 'Anna',
    to_name: 'Ben',
    delivery: 'card',
  });
  await payAt(url);
  await buyer.must('POST', `/api/gifts/${request_id}/check`, {});
  const { code } = await buyer.must<{ code: string }>('POST', `/api/gifts/${request_id}/code`, {});
  const caller = await app.customer();
  await caller.must('POST', '/api/gifts/redeem', { code });
  const { customer } = await caller.must<{ customer: { id: string } }>('GET', '/api/customers/own');
  return { caller, customer_id: customer.id };
}
