import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Application, ReviewedApplication } from '../../../src/contract/applications.ts';
import type { EndOffer } from '../../../src/contract/staff/membership-end.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { membership_applications } from '../../../src/server/db/schema.ts';
import { mailsTo } from '../../support/fixtures/emails.ts';
import { applied, RATINGS, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const save = (caller: Caller, overrides: object = {}) =>
  caller.call<Application>('PUT', '/api/applications/own', {
    preferences: RATINGS,
    selected_tier: null,
    current_step: 2,
    is_complete: false,
    ...overrides,
  });

describe('the survey', () => {
  it('is saved after step 1 as a pending application that can be resumed', async () => {
    const applicant = await app.customer();
    const saved = await save(applicant);
    expect(saved.body).toMatchObject({
      status: 'pending',
      is_complete: false,
      current_step: 2,
      preferences: RATINGS,
    });
    expect(await applicant.must('GET', '/api/applications/own')).toEqual(saved.body);
  });

  it('stores which ratings were given; without the field, that is unknown', async () => {
    const applicant = await app.customer();
    const given = await save(applicant, { rated: ['adventurousness'] });
    expect(given.body.rated).toEqual(['adventurousness']);
    const { id } = given.body;
    expect(await staff.must('GET', `/api/applications/${id}`)).toMatchObject({ rated: ['adventurousness'] });
    expect((await save(applicant)).body.rated).toBeNull();
    expect((await save(applicant, { rated: ['sweetness'] })).status).toBe(400);
  });

  it('stays one application when saved again, with or without its id', async () => {
    const applicant = await app.customer();
    const { id } = (await save(applicant)).body;
    const again = await save(applicant, { id, selected_tier: 'elite', is_complete: true });
    const third = await save(applicant, { selected_tier: 'select', is_complete: true });
    expect([again.body.id, third.body.id]).toEqual([id, id]);
  });

  test.each([
    ['below 1', { ...RATINGS, adventurousness: 0 }, 'Number must be greater than or equal to 1'],
    ['above 10', { ...RATINGS, adventurousness: 11 }, 'Number must be less than or equal to 10'],
    ['missing', { ...RATINGS, adventurousness: undefined }, 'Required'],
    ['not a number', { ...RATINGS, adventurousness: 'very' }, 'Expected number, received string'],
  ])('a rating %s is refused with the validation message', async (_, preferences, message) => {
    const refused = await save(await app.customer(), { preferences });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(message);
  });

  test.each(['reserve', 'gold'])(
    'a tier that is not on offer, such as %j, is refused',
    async (selected_tier) => {
      expect(await save(await app.customer(), { selected_tier })).toMatchObject({
        status: 409,
        body: { code: 'TIER_NOT_AVAILABLE' },
      });
    },
  );

  test('an empty tier is refused', async () => {
    expect((await save(await app.customer(), { selected_tier: '' })).status).toBe(400);
  });

  it('cannot be complete without a tier', async () => {
    expect((await save(await app.customer(), { is_complete: true })).status).toBe(400);
  });

  it('of another user cannot be changed by its id', async () => {
    const { id } = (await save(await app.customer())).body;
    expect(await save(await app.customer(), { id })).toMatchObject({ status: 404 });
  });

  it('is refused for members', async () => {
    const { caller } = await venueMember(app, staff);
    expect(await save(caller)).toMatchObject({ status: 409, body: { code: 'ALREADY_MEMBER' } });
  });
});

describe('approval', () => {
  const approve = (id: string, by = staff, toast_reference_number = ' T-77 ') =>
    by.call('POST', `/api/applications/${id}/approve`, { toast_reference_number });

  it('creates the customer and the membership with its price and reference number', async () => {
    const applicant = await app.customer();
    const id = await applied(applicant, 'household');
    const { status } = await approve(id);
    expect(status).toBe(200);
    const today = localDate(app.clock.now(), VENUE_ZONE);
    expect(await applicant.must('GET', '/api/customers/own')).toMatchObject({
      customer: { tier: 'household', status: 'active', member_since: today, pours_balance: 20 },
      membership_ever: true,
      application: null,
    });
    const memberships = await app.services.db.query.memberships.findMany();
    expect(memberships).toContainEqual(
      expect.objectContaining({
        tier: 'household',
        monthly_price_cents: 14_900,
        toast_reference_number: 'T-77',
        recorded_by_staff_id: staff.id,
      }),
    );
    expect(await staff.must('GET', `/api/applications/${id}`)).toMatchObject({
      status: 'approved',
      reviewed_at: app.clock.now().toISOString(),
    });
  });

  it('keeps the member since of a former member', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const joined = localDate(app.clock.now(), VENUE_ZONE);
    const path = `/api/customers/${customer_id}/membership-end`;
    const { period_end } = await staff.must<EndOffer>('GET', path);
    await staff.must('POST', path, { when: 'now', reason: 'moving', period_end });
    app.clock.advance({ days: 3 });
    expect((await approve(await applied(caller))).status).toBe(200);
    expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
      customer: { status: 'active', member_since: joined },
    });
  });

  it('notifies the applicant by email, once, and on the dashboard', async () => {
    const email = 'approved@example.test';
    const applicant = await app.customer({ email });
    const id = await applied(applicant, 'household');
    await approve(id);
    expect((await approve(id)).status).toBe(409);
    const mails = await mailsTo(app, email);
    expect(mails.map((it) => it.subject)).toEqual(['Your application was approved · Test Cellar']);
    expect(mails[0]?.text).toMatch(/Your Household membership is active, with 20 pours each month/);
    expect(await applicant.must('GET', '/api/customers/own')).toMatchObject({
      decision: { status: 'approved', tier: 'household', reviewed_at: app.clock.now().toISOString() },
    });
  });

  it('needs a reference number', async () => {
    const id = await applied(await app.customer());
    const refused = await approve(id, staff, '   ');
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('Toast reference number is required');
  });

  it('by two staff at once creates one membership, and the second is refused', async () => {
    const id = await applied(await app.customer());
    const answers = await Promise.all([approve(id), approve(id, await app.staff())]);
    expect(answers.map((it) => it.status).sort()).toEqual([200, 409]);
    expect(answers.find((it) => it.status === 409)?.body).toMatchObject({
      code: 'APPLICATION_NOT_PENDING',
      data: { status: 'approved' },
      message: 'This application has already been reviewed.',
    });
  });

  it('of an application without a tier creates a select membership', async () => {
    const applicant = await app.customer();
    const { id } = (await save(applicant)).body;
    await approve(id);
    expect(await applicant.must('GET', '/api/customers/own')).toMatchObject({ customer: { tier: 'select' } });
  });
});

describe('rejection', () => {
  it('keeps the notes for staff, hides them from the applicant, and is final', async () => {
    const applicant = await app.customer();
    const id = await applied(applicant);
    const rejected = await staff.must<ReviewedApplication>('POST', `/api/applications/${id}/reject`, {
      notes: 'Under age',
    });
    expect(rejected).toMatchObject({
      status: 'rejected',
      notes: 'Under age',
      reviewed_at: expect.any(String),
    });
    expect(JSON.stringify(await applicant.must('GET', '/api/customers/own'))).not.toContain('Under age');
    const again = await staff.call('POST', `/api/applications/${id}/reject`, {});
    expect(again).toMatchObject({ status: 409, body: { code: 'APPLICATION_NOT_PENDING' } });
  });
});

describe('a rejected applicant', () => {
  it('is notified by email and on the dashboard, without the notes, until they apply again', async () => {
    const email = 'rejected@example.test';
    const applicant = await app.customer({ email });
    const id = await applied(applicant);
    await staff.must('POST', `/api/applications/${id}/reject`, { notes: 'Under age' });
    const [mail, ...more] = await mailsTo(app, email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Your application was not accepted · Test Cellar');
    expect(mail?.text).not.toContain('Under age');
    const decision = { status: 'rejected', tier: 'select', reviewed_at: app.clock.now().toISOString() };
    expect(await applicant.must('GET', '/api/customers/own')).toMatchObject({ decision });
    await save(applicant);
    expect(await applicant.must('GET', '/api/customers/own')).toMatchObject({ decision: null });
  });

  it('no longer reads of it once a payment has approved their next application', async () => {
    const applicant = await app.customer();
    const id = await applied(applicant);
    await staff.must('POST', `/api/applications/${id}/reject`, {});
    app.clock.advance({ seconds: 1 });
    const paid = await applied(applicant);
    await app.services.db
      .update(membership_applications)
      .set({ status: 'approved', reviewed_at: app.clock.now() })
      .where(eq(membership_applications.id, paid));
    expect(await applicant.must('GET', '/api/customers/own')).toMatchObject({ decision: null });
  });
});
