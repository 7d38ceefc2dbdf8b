import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MemberDetail } from '../../../src/contract/members.ts';
import type { MemberImport } from '../../../src/contract/staff/imports.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import {
  audit_entry,
  billing_customer,
  billing_payment,
  customers,
  deliveries,
  member_import,
  membership_applications,
  profiles,
  tier_price,
} from '../../../src/server/db/schema.ts';
import { emailBatch } from '../../../src/server/imports/email-batch.ts';
import { adoptionStep } from '../../../src/server/imports/import-steps.ts';
import { approveAtVenue, memberState } from '../../support/billing/member-state.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { importFile, importOf } from '../../support/fixtures/imports.ts';
import { pour } from '../../support/fixtures/members.ts';
import {
  lookAtStripe,
  rowOf,
  type StripeClub,
  settleAdoptions,
  stripeClub,
  takeOver,
} from '../../support/fixtures/stripe-club.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/imports.md, "Taking over subscriptions from Stripe".

let app: TestApp;
let staff: Caller;
let club: StripeClub;
/** The venue's own price for Premier, different from the price for new members. */
let premier: string;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  club = stripeClub(app);
  premier = await club.price('Old Premier Club', 5900);
});
afterAll(() => app.close());
/** Leaves nothing open, or at Stripe, for the next test. */
afterEach(async () => {
  await settleAdoptions(app);
  await app.services.db.delete(member_import);
  const { data } = await club.stripe.subscriptions.list({ limit: 100 });
  const running = data.filter(({ status }) => !status.startsWith('incomplete'));
  for (const { id } of running) await club.stripe.subscriptions.cancel(id);
  await club.delivered();
});

const userOf = async (email: string) => {
  const [user] = await app.services.db.select().from(profiles).where(eq(profiles.email, email));
  if (!user) throw new Error(`No account ${email}`);
  return user;
};
const stateOf = async (email: string) => memberState(app.services.db, (await userOf(email)).id);
/** All charges and invoices at Stripe. */
const chargesAtStripe = async () => [
  (await club.stripe.charges.list()).data.map(({ id, amount_refunded }) => [id, amount_refunded]),
  (await club.stripe.invoices.list()).data.map(({ id, status }) => [id, status]),
];

describe('looking', () => {
  it('says of each subscription what would happen, and changes nothing here or there', async () => {
    const yearly = await club.price('Premier by the year', 60_000, { recurring: { interval: 'year' } });
    const euros = await club.price('Premier in Europe', 5900, { currency: 'eur' });
    const cheese = await club.price('Cheese box', 1500);
    const coupon = await club.stripe.coupons.create({ percent_off: 20, duration: 'forever' });
    const day = Math.floor(app.clock.now().getTime() / 1000) + 86_400;
    const venue = await app.customer();
    const { user } = await venue.must<{ user: { email: string } }>('GET', '/api/session');

    const plain = await club.subscriber(premier);
    const trial = await club.subscriber(premier, { trial_period_days: 10 });
    const ending = await club.subscriber(premier, { cancel_at_period_end: true });
    const cheaper = await club.subscriber(premier, { discounts: [{ coupon: coupon.id }] });
    const more = await club.subscriber([premier, cheese]);
    const paused = await club.subscriber(premier);
    await club.stripe.subscriptions.update(paused.subscription, {
      pause_collection: { behavior: 'void', resumes_at: day + 40 * 86_400 },
    });
    const expected: [string, string[], string[], string | null][] = [
      [plain.subscription, [], ['other_amount'], 'made'],
      [trial.subscription, [], ['trial', 'other_amount'], 'made'],
      [ending.subscription, [], ['ending', 'other_amount'], 'made'],
      [cheaper.subscription, [], ['discounted', 'other_amount'], 'made'],
      [more.subscription, [], ['other_amount', 'add_ons'], 'made'],
      [paused.subscription, [], ['paused', 'other_amount'], 'made'],
    ];
    const refused = async (problem: string, made: Promise<{ subscription: string }>) =>
      expected.push([(await made).subscription, [problem], [], null]);
    await refused('not_monthly', club.subscriber(yearly));
    await refused('other_currency', club.subscriber(euros));
    await refused('no_membership', club.subscriber(cheese));
    await refused('membership_not_first', club.subscriber([cheese, premier]));
    await refused('account_unconfirmed', club.subscriber(premier, { email: user.email }));
    await refused('name_missing_at_stripe', club.subscriber(premier, { name: 'Madonna' }));
    await refused('two_subscriptions', club.subscriber(premier, { email: 'Twice@example.test' }));
    await refused('two_subscriptions', club.subscriber(premier, { email: 'twice@example.test' }));
    const failing = await club.customer({ card: 'pm_card_chargeCustomerFail' });
    const unpaid = await club.stripe.subscriptions.create({
      customer: failing.id,
      items: [{ price: premier }],
      payment_behavior: 'allow_incomplete',
    });
    expected.push([unpaid.id, ['never_paid'], [], null]);
    await club.delivered();

    const before = [await app.services.db.$count(profiles), await chargesAtStripe()];
    const look = await lookAtStripe(app, staff);
    expect(look).toMatchObject({ status: 'checked', ready_rows: 6, total_rows: expected.length });
    expect(look.prices?.find(({ price }) => price === premier)).toMatchObject({
      tier: 'premier',
      name: 'Old Premier Club',
      unit_cents: 5900,
    });
    for (const [subscription, problems, remarks, becomes] of expected) {
      const row = await rowOf(staff, look.id, subscription);
      expect([subscription, row.problems, row.remarks, row.becomes]).toEqual([
        subscription,
        problems,
        remarks,
        becomes,
      ]);
    }
    expect([await app.services.db.$count(profiles), await chargesAtStripe()]).toEqual(before);
    const { metadata } = (await club.stripe.customers.retrieve(plain.customer)) as { metadata: object };
    expect(metadata).toEqual({});
  });

  it('skips customers already known here: staff, members at the venue, and members by card', async () => {
    const { db } = app.services;
    const known = async (email: string) => (await userOf(email)).id;
    const people = await Promise.all(
      [0, 1, 2].map((it) => club.customer({ email: `known${it}@example.test` })),
    );
    const [colleague, atVenue, byCard] = people.map(({ email }) => email) as [string, string, string];
    for (const email of people.map((it) => it.email)) await app.customer({ email });
    await db.update(profiles).set({ emailVerified: true });
    await addStaff(app.services, colleague, 'another long password', {
      memoryCost: 8,
      timeCost: 1,
      parallelism: 1,
    });
    const at = app.clock.now();
    await db.insert(membership_applications).values({
      id: app.services.newId(),
      user_id: await known(atVenue),
      status: 'pending' as const,
      is_complete: true,
      selected_tier: 'select',
      current_step: 2,
      created_at: at,
      updated_at: at,
    });
    const venueUser = await known(atVenue);
    await db.transaction((tx) => approveAtVenue(tx, venueUser, at));
    await db.insert(billing_customer).values({
      user_id: await known(byCard),
      stripe_customer_id: 'cus_another',
      created_at: at,
    });
    for (const { id } of people)
      await club.stripe.subscriptions.create({ customer: id, items: [{ price: premier }] });
    const { id } = await lookAtStripe(app, staff);
    const { rows } = await staff.must<{ rows: { cells: string[]; problems: string[] }[] }>(
      'GET',
      `/api/imports/${id}/rows?which=problems`,
    );
    const problemOf = (email: string) => rows.find(({ cells }) => cells[1] === email)?.problems;
    expect([problemOf(colleague), problemOf(atVenue), problemOf(byCard)]).toEqual([
      ['staff_account'],
      ['billed_at_venue'],
      ['pays_here'],
    ]);
  });

  it('is judged again with the tiers that staff choose', async () => {
    const other = await club.price('Friends', 2000);
    const friend = await club.subscriber(other);
    const { id, prices } = await lookAtStripe(app, staff);
    expect((await rowOf(staff, id, friend.subscription)).problems).toEqual(['no_membership']);
    const tiers = Object.fromEntries((prices ?? []).map(({ price, tier }) => [price, tier]));
    const choose = (tier: string) =>
      staff.call('PUT', `/api/adoptions/${id}/tiers`, { tiers: { ...tiers, [other]: tier } });
    expect((await choose('gold')).body).toMatchObject({ code: 'IMPORT_MAPPING' });
    await choose('select');
    await settleAdoptions(app);
    expect(await rowOf(staff, id, friend.subscription)).toMatchObject({ problems: [], becomes: 'made' });
  });

  it('takes manage_money, which manage_members does not replace', async () => {
    const colleague = await app.staff();
    const give = (permission: string, given: boolean) =>
      staff.must('PUT', `/api/team/${colleague.id}/permissions/${permission}`, { given, password: PASSWORD });
    await give('manage_members', true);
    const { id } = await lookAtStripe(app, staff);
    const calls: [string, string, object?][] = [
      ['POST', '/api/adoptions'],
      ['PUT', `/api/adoptions/${id}/tiers`, { tiers: {} }],
      ['POST', `/api/adoptions/${id}/start`, {}],
      ['POST', `/api/adoptions/${id}/undo`, {}],
    ];
    const refused = async () => {
      const answers = [];
      for (const call of calls) answers.push(await colleague.call<{ code?: string }>(...call));
      return answers.map(({ body }) => body.code === 'NOT_ALLOWED');
    };
    expect(await refused()).toEqual([true, true, true, true]);
    await give('manage_members', false);
    await give('manage_money', true);
    expect(await refused()).toEqual([false, false, false, false]);
  });

  it('has calls of its own: those for files do not find it', async () => {
    const { id } = await lookAtStripe(app, staff);
    expect((await staff.call('POST', `/api/imports/${id}/start`, {})).status).toBe(404);
    expect((await staff.call('POST', '/api/adoptions')).body).toMatchObject({ code: 'IMPORT_OPEN' });
    await staff.must('DELETE', `/api/imports/${id}`);
    expect(await app.services.db.$count(member_import)).toBe(0);
  });
});

describe('taking over', () => {
  it('makes a membership just like one bought here, and charges and emails nobody', async () => {
    const began = app.clock.now();
    const ana = await club.subscriber(premier, { name: 'Ana María Ruiz' });
    await club.advance(40);
    const charged = await chargesAtStripe();
    const taken = await takeOver(app, staff);
    expect(taken).toMatchObject({ status: 'imported', imported_rows: 1, source: 'stripe' });

    const user = await userOf(ana.email);
    expect(user).toMatchObject({ first_name: 'Ana María', last_name: 'Ruiz', emailVerified: false });
    const member = await staff.must<MemberDetail>('GET', `/api/customers/${user.id}`);
    expect(member).toMatchObject({
      customer: { status: 'active', tier: 'premier', member_since: localDate(began, VENUE_ZONE) },
      available_pours: 8,
    });
    expect(await stateOf(ana.email)).toMatchObject({
      active: { tier: 'premier', subscription: ana.subscription, price: 5900 },
      payments: [{ paid: 5900 }, { paid: 5900 }],
      reversals: [],
    });
    await club.delivered();
    expect(await chargesAtStripe()).toEqual(charged);
    expect(await club.stripe.customers.retrieve(ana.customer)).toMatchObject({
      name: 'Ana María Ruiz',
      metadata: { user_id: user.id },
    });
    expect(await app.services.db.$count(deliveries, eq(deliveries.user_id, user.id))).toBe(0);
    const [entry] = await app.services.db
      .select()
      .from(audit_entry)
      .where(eq(audit_entry.act, 'subscriptions_adopted'));
    expect(entry?.facts).toEqual({ import_id: taken.id, rows: 1 });
  });

  it('continues like our own: renewal, failed payment, recovery, and the end', async () => {
    const ana = await club.subscriber(premier);
    await takeOver(app, staff);
    await club.advance(32);
    expect((await stateOf(ana.email)).payments).toHaveLength(2);
    const [receipt] = await app.services.db
      .select()
      .from(deliveries)
      .where(eq(deliveries.user_id, (await userOf(ana.email)).id));
    expect(receipt?.cause).toMatch(/^paid:in_/);

    const use = async (card: string) => {
      const method = await club.stripe.paymentMethods.attach(card, { customer: ana.customer });
      await club.stripe.customers.update(ana.customer, {
        invoice_settings: { default_payment_method: method.id },
      });
    };
    await use('pm_card_chargeCustomerFail');
    await club.advance(30);
    expect((await stateOf(ana.email)).subscriptions).toMatchObject([{ status: 'past_due' }]);
    await use('pm_card_visa');
    await club.advance(4);
    expect((await stateOf(ana.email)).subscriptions).toMatchObject([{ status: 'active' }]);
    await club.stripe.subscriptions.cancel(ana.subscription);
    await club.delivered();
    expect(await stateOf(ana.email)).toMatchObject({ active: null, customer: { status: 'inactive' } });
  });

  it('gives the membership to an account whose email is confirmed, but to nobody who could sign in to it', async () => {
    const person = await app.customer({ email: 'confirmed@example.test' });
    await app.services.db
      .update(profiles)
      .set({ emailVerified: true })
      .where(eq(profiles.email, 'confirmed@example.test'));
    await club.subscriber(premier, { email: 'Confirmed@Example.test', name: 'Madonna' });
    await takeOver(app, staff);
    expect(await stateOf('confirmed@example.test')).toMatchObject({ active: { tier: 'premier' } });
    expect((await person.call('GET', '/api/customers/own')).status).toBe(401);
    const signIn = { email: 'confirmed@example.test', password: PASSWORD };
    expect((await app.visitor().call('POST', '/api/auth/sign-in', signIn)).status).toBe(401);
    const token = tokenIn(await mailTo(app, 'confirmed@example.test'), '/reset-password#');
    const password = 'chosen by the owner';
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password });
    const owner = app.visitor();
    await owner.must('POST', '/api/auth/sign-in', { ...signIn, password });
    expect(await owner.must('GET', '/api/customers/own')).toMatchObject({ customer: { status: 'active' } });
  });

  it('leaves a former member their password, and a confirmed account at Stripe where nobody gets email', async () => {
    const [former, other] = ['former@example.test', 'other@example.test'];
    const [person, another] = [await app.customer({ email: former }), await app.customer({ email: other })];
    const { db, newId, outbox } = app.services;
    await db.update(profiles).set({ emailVerified: true });
    await db.insert(customers).values({
      ...{ id: newId(), user_id: person.id, tier: 'select', status: 'inactive' as const },
      ...{ member_since: '2020-01-01', created_at: app.clock.now(), signed_up_by_staff_id: staff.id },
    });
    await club.subscriber(premier, { email: former });
    const left = await club.subscriber(premier, { email: other });
    outbox.sends = false;
    const { id } = await takeOver(app, staff);
    outbox.sends = true;
    expect(await person.must('GET', '/api/customers/own')).toMatchObject({ customer: { tier: 'premier' } });
    expect((await rowOf(staff, id, left.subscription)).problems).toEqual(['account_unconfirmed']);
    expect((await another.call('GET', '/api/customers/own')).status).toBe(200);
  });

  it('gives a member with a record the earlier of both joining days, until it is undone', async () => {
    const [longer, shorter] = ['longer@example.test', 'shorter@example.test'];
    const began = localDate(app.clock.now(), VENUE_ZONE);
    for (const email of [longer, shorter]) await club.subscriber(premier, { email });
    await club.advance(40);
    // Their notes came with an earlier file: one with an earlier day, one without a day, which means today.
    const people = [`${longer},Ana,Ruiz,select,2019-03-31`, `${shorter},Bo,Chen,select,`].join('\n');
    await importFile(app, staff, `Email,First name,Last name,Tier,Member since\n${people}`);
    const since = () =>
      Promise.all([longer, shorter].map(async (it) => (await stateOf(it)).customer?.member_since));
    const before = await since();
    expect(before).toEqual(['2019-03-31', localDate(app.clock.now(), VENUE_ZONE)]);
    const { id } = await takeOver(app, staff);
    expect(await since()).toEqual(['2019-03-31', began]);
    await staff.must('POST', `/api/adoptions/${id}/undo`, {});
    await settleAdoptions(app);
    expect(await since()).toEqual(before);
  });

  it('repeated has no further effect', async () => {
    const ana = await club.subscriber(premier);
    await takeOver(app, staff);
    const before = await stateOf(ana.email);
    await app.services.db.delete(member_import);
    const again = await lookAtStripe(app, staff);
    expect(again).toMatchObject({ ready_rows: 0 });
    expect((await rowOf(staff, again.id, ana.subscription)).problems).toEqual(['taken_over']);
    expect(await stateOf(ana.email)).toEqual(before);
  });

  it('continues after Stripe was away, without doing anything twice', async () => {
    await club.subscriber(premier);
    const { id } = await lookAtStripe(app, staff);
    await staff.must('POST', `/api/adoptions/${id}/start`, {});
    await club.failNext('/v1/charges');
    await expect(adoptionStep(app.services)).rejects.toThrow();
    expect(await importOf(staff, id)).toMatchObject({ status: 'importing', imported_rows: 0 });
    await settleAdoptions(app);
    expect(await importOf(staff, id)).toMatchObject({ status: 'imported', imported_rows: 1 });
  });

  it('judges each one again at its turn: a second membership since the preview is refused, not refunded', async () => {
    const ana = await club.subscriber(premier);
    const gone = await club.subscriber(premier);
    const { id } = await lookAtStripe(app, staff);
    await club.stripe.subscriptions.create({ customer: ana.customer, items: [{ price: premier }] });
    await club.stripe.subscriptions.cancel(gone.subscription);
    const charged = await chargesAtStripe();
    await staff.must('POST', `/api/adoptions/${id}/start`, {});
    await settleAdoptions(app);
    expect(await importOf(staff, id)).toMatchObject({ imported_rows: 0 });
    expect(await rowOf(staff, id, ana.subscription)).toMatchObject({
      outcome: 'refused',
      problems: ['two_subscriptions'],
    });
    expect((await rowOf(staff, id, gone.subscription)).problems).toEqual(['ended']);
    expect(await chargesAtStripe()).toEqual(charged);
    const running = await club.stripe.subscriptions.list({ customer: ana.customer });
    expect(running.data.map(({ status }) => status)).toEqual(['active', 'active']);
  });

  it('leaves a subscription whose price or email changed since staff saw it', async () => {
    const select = await club.price('Old Select Club', 3500);
    const [cheaper, renamed, plain] = [
      await club.subscriber(premier),
      await club.subscriber(premier),
      await club.subscriber(select),
    ];
    const { id } = await lookAtStripe(app, staff);
    const { items } = await club.stripe.subscriptions.retrieve(cheaper.subscription);
    await club.stripe.subscriptions.update(cheaper.subscription, {
      items: [{ id: items.data[0]?.id, price: select }],
      proration_behavior: 'none',
    });
    await club.stripe.customers.update(renamed.customer, { email: 'another@example.test' });
    await staff.must('POST', `/api/adoptions/${id}/start`, {});
    await settleAdoptions(app);
    expect(await importOf(staff, id)).toMatchObject({ status: 'imported', imported_rows: 1 });
    for (const { subscription } of [cheaper, renamed])
      expect(await rowOf(staff, id, subscription)).toMatchObject({ problems: ['changed_meanwhile'] });
    expect(await stateOf(plain.email)).toMatchObject({ active: { tier: 'select' } });
  });

  it('keeps the venue’s metadata at Stripe, and the price for new members', async () => {
    const ana = await club.customer();
    await club.stripe.customers.update(ana.id, { metadata: { user_id: '4711' } });
    await club.stripe.subscriptions.create({ customer: ana.id, items: [{ price: premier }] });
    await takeOver(app, staff);
    expect(await club.stripe.customers.retrieve(ana.id)).toMatchObject({ metadata: { user_id: '4711' } });
    const [row] = await app.services.db
      .select()
      .from(tier_price)
      .where(eq(tier_price.stripe_price_id, premier));
    expect(row).toMatchObject({ tier_name: 'premier', amount_cents: 5900 });
    expect(row?.archived_at).not.toBeNull();
  });

  it('emails members for whom it made an account, once staff request it', async () => {
    const ana = await club.subscriber(premier);
    const { id } = await takeOver(app, staff);
    expect(await mailTo(app, ana.email)).toBeUndefined();
    await staff.must('POST', `/api/imports/${id}/emails`, {});
    while (await emailBatch(app.services));
    expect((await mailTo(app, ana.email))?.subject).toContain('Your account is ready');
  });
});

describe('undoing', () => {
  const undo = async ({ id }: MemberImport) => {
    await staff.must('POST', `/api/adoptions/${id}/undo`, {});
    await settleAdoptions(app);
    return importOf(staff, id);
  };

  it('leaves nothing here, and the subscription as it is at Stripe', async () => {
    const ana = await club.subscriber(premier);
    const taken = await takeOver(app, staff);
    const charged = await chargesAtStripe();
    const { id } = await userOf(ana.email);
    expect(await undo(taken)).toMatchObject({ status: 'undone', imported_rows: 0, kept_rows: 0 });
    await club.delivered();
    const { db } = app.services;
    expect(await db.$count(profiles, eq(profiles.id, id))).toBe(0);
    expect(await db.$count(billing_payment, eq(billing_payment.user_id, id))).toBe(0);
    expect(await chargesAtStripe()).toEqual(charged);
    expect(await club.stripe.subscriptions.retrieve(ana.subscription)).toMatchObject({ status: 'active' });
    expect(await club.stripe.customers.retrieve(ana.customer)).toMatchObject({ metadata: {} });
    // The subscription can be taken over again.
    await db.delete(member_import);
    expect(await takeOver(app, staff)).toMatchObject({ imported_rows: 1 });
  });

  it('keeps members who had a pour or a charge since', async () => {
    const ana = await club.subscriber(premier);
    const taken = await takeOver(app, staff);
    const [member] = await app.services.db
      .select()
      .from(customers)
      .where(eq(customers.user_id, (await userOf(ana.email)).id));
    expect((await pour(staff, member?.id ?? '')).status).toBe(201);
    expect(await undo(taken)).toMatchObject({ imported_rows: 1, kept_rows: 1 });
    expect(await rowOf(staff, taken.id, ana.subscription)).toMatchObject({ kept_because: 'poured' });
    expect(await club.stripe.customers.retrieve(ana.customer)).toMatchObject({
      metadata: { user_id: (await userOf(ana.email)).id },
    });
    await app.services.db.delete(member_import);

    const bo = await club.subscriber(premier);
    const second = await takeOver(app, staff);
    await club.advance(32);
    await undo(second);
    expect(await rowOf(staff, second.id, bo.subscription)).toMatchObject({ kept_because: 'charged' });
  });

  it('leaves an account that was there before, without the membership', async () => {
    const email = 'before@example.test';
    await app.customer({ email });
    const { db } = app.services;
    await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.email, email));
    await club.subscriber(premier, { email });
    await undo(await takeOver(app, staff));
    const user = await userOf(email);
    expect(await db.$count(customers, eq(customers.user_id, user.id))).toBe(0);
  });
});
