import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import {
  customers,
  email_change,
  gift_membership,
  household_invitation,
  member_import,
  member_import_row,
  memberships,
  profiles,
  user_roles,
} from '../../../src/server/db/schema.ts';
import { postStaffNotice } from '../../../src/server/membership/staff-notices.ts';
import { eraseAccount } from '../../../src/server/privacy/erasure.ts';
import { acceptShare, householdLink } from '../../support/fixtures/household.ts';
import { settleImports } from '../../support/fixtures/imports.ts';
import { applied, venueMember } from '../../support/fixtures/members.ts';
import { RED_DOT } from '../../support/fixtures/pictures.ts';
import { wholeDatabase } from '../../support/fixtures/whole-member.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/accounts.md, "Personal data": whatever a person was here, nothing names them once their account is deleted.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp({ verifyEmail: 'nudge' });
  staff = await app.staff();
});
afterAll(() => app.close());

interface Person {
  caller: Caller;
  email: string;
  first_name: string;
}

/** A row of a gift for three months of Select, paid and not sent yet. */
const giftOf = (buyer_id: string) => ({
  ...{ id: app.services.newId(), buyer_id, tier: 'select', months: 3, monthly_price_cents: 3900 },
  ...{ amount_cents: 11_700, currency: 'usd', tax_behavior: 'unspecified' as const, paid_cents: 11_700 },
  ...{ delivery: 'email' as const, send_on: '2031-01-01', status: 'paid' as const },
  ...{ stripe_payment_intent_id: `pi_${app.services.newId()}`, created_at: app.clock.now() },
  ...{ paid_at: app.clock.now(), expires_at: app.clock.now() },
});

const upload = async (file_name: string, columns: string[], cells: string[]) => {
  const { id } = await staff.must<{ id: string }>('POST', '/api/imports', { file_name, columns });
  await staff.must('POST', `/api/imports/${id}/rows`, { first_row: 1, rows: [cells, ['x', 'y@z.test']] });
  return id;
};

const STATES: [string, (person: Person) => Promise<unknown>][] = [
  ['signed up', async () => null],
  ['applied', ({ caller }) => applied(caller)],
  [
    'was rejected, with a note',
    async ({ caller, first_name }) => {
      const id = await applied(caller);
      await staff.must('POST', `/api/applications/${id}/reject`, { notes: `${first_name} was rude` });
    },
  ],
  [
    'was a member at the venue, whose membership ended',
    async ({ caller, first_name }) => {
      const id = await applied(caller);
      const toast_reference_number = `Paid by ${first_name}`;
      await staff.must('POST', `/api/applications/${id}/approve`, { toast_reference_number });
      const { db } = app.services;
      const [customer] = await db.select().from(customers).where(eq(customers.user_id, caller.id));
      const own = customer?.id ?? '';
      await staff.must('POST', `/api/customers/${own}/notes`, { body: `${first_name} likes the window` });
      await staff.must('POST', `/api/customers/${own}/tags`, { label: `Cousin of ${first_name}` });
      await caller.must('PUT', '/api/profile/photo', { content: RED_DOT, agreed: true });
      const ended = { status: 'ended' as const, end_date: '2030-01-01' };
      await db.update(memberships).set(ended).where(eq(memberships.customer_id, own));
      await db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, own));
    },
  ],
  [
    'was to get a gift that was not sent yet',
    async ({ email, first_name }) => {
      const buyer = await app.customer();
      await app.services.db.insert(gift_membership).values({
        ...giftOf(buyer.id),
        ...{ to_name: first_name, message: `For ${first_name}`, recipient_email: email.toUpperCase() },
      });
    },
  ],
  [
    'gave one',
    async ({ caller, first_name }) => {
      const words = { from_name: first_name, to_name: 'Ben', message: `Love, ${first_name}` };
      await app.services.db
        .insert(gift_membership)
        .values({ ...giftOf(caller.id), ...words, recipient_email: 'ben@friends.test' });
    },
  ],
  [
    'is in an uploaded file whose columns are not chosen yet',
    ({ email, first_name }) =>
      upload(`${first_name}.csv`, ['A', 'B'], [first_name, `${first_name} <${email.toUpperCase()}>`]),
  ],
  [
    'is in a file that was imported before',
    async ({ email, first_name }) => {
      const id = await upload(`${first_name}.csv`, ['Name', 'Email'], [first_name, email]);
      const mapping = { full_name: 0, email: 1 };
      await staff.call('PUT', `/api/imports/${id}/mapping`, { mapping, date_order: 'month_first' });
      await settleImports(app);
    },
  ],
  [
    'is mentioned in rows of others in a file, in lowercase and in capitals',
    async ({ email, first_name }) => {
      const { id } = await staff.must<{ id: string }>('POST', '/api/imports', {
        ...{ file_name: 'members.csv', columns: ['Name', 'Email', 'Invited by'] },
      });
      const rows = [
        ['Yves', 'yves@z.test', email],
        ['Zoe', 'zoe@z.test', `Met ${email.toUpperCase()}`],
        [first_name, email, ''],
      ];
      await staff.must('POST', `/api/imports/${id}/rows`, { first_row: 1, rows });
      const mapping = { full_name: 0, email: 1 };
      await staff.must('PUT', `/api/imports/${id}/mapping`, { mapping, date_order: 'month_first' });
      await settleImports(app);
    },
  ],
  [
    'asked for another email, and got theirs asked for by someone else',
    async ({ caller, email }) => {
      const change = (to: string) => ({ email: to, password: PASSWORD });
      await caller.must('POST', '/api/auth/email-change', change(`new-${email}`));
      const other = await app.customer();
      await other.must('POST', '/api/auth/email-change', change('free@example.test'));
      await app.services.db
        .update(email_change)
        .set({ new_email: email })
        .where(eq(email_change.user_id, other.id));
    },
  ],
  [
    'got an email that was refused, and pays at Stripe under their email',
    async ({ caller, email, first_name }) => {
      const { db } = app.services;
      const at = app.clock.now();
      const facts = { subject: `Welcome, ${first_name}` };
      const refused = { kind: 'email_refused' as const, cause: `email_refused:${caller.id}`, facts };
      await postStaffNotice(db, { ...refused, user_id: caller.id, at });
      await postStaffNotice(db, {
        kind: 'unknown_subscription',
        cause: `unknown:${caller.id.slice(0, 8)}`,
        user_id: null,
        facts: {
          ...{ state: 'running', stripe_subscription_id: 'sub_1', stripe_customer_id: 'cus_1' },
          ...{ name: first_name, email, tier: null, amount_cents: null, currency: 'usd' },
          ...{ interval: 'month', started_at: at.toISOString() },
        },
        at,
      });
    },
  ],
  [
    'was invited to share a membership',
    async ({ email }) => {
      const { customer_id } = await venueMember(app, staff);
      const at = app.clock.now();
      const link = { holder_id: customer_id, email, token_hash: 'x', created_at: at, expires_at: at };
      await app.services.db.insert(household_invitation).values(link);
    },
  ],
  [
    'joined someone’s membership',
    async ({ caller }) => {
      const holder = await venueMember(app, staff, 'household');
      const { db } = app.services;
      await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, caller.id));
      expect((await acceptShare(app, caller, await householdLink(holder.caller))).status).toBe(200);
      await app.services.deliveries.deliver('email');
    },
  ],
  [
    'had programs and devices named after them',
    ({ caller, first_name }) =>
      caller.must('POST', '/api/api-clients', { name: `Till of ${first_name}`, password: PASSWORD }),
  ],
  [
    'was on the team',
    async ({ caller, email }) => {
      const { db } = app.services;
      await db.update(user_roles).set({ role: 'staff' }).where(eq(user_roles.user_id, caller.id));
      await removeStaff(app.services, email);
    },
  ],
];

it.each(STATES.map(([state, live], index) => ({ state, live, index })))(
  'someone who $state leaves no name, email or phone in any row or line of the log',
  async ({ live, index }) => {
    const first_name = `Zephyrine${String.fromCharCode(65 + index)}`;
    const [email, phone] = [`quokka.${index}+club@example.test`, `+43 660 765439${index}`];
    const caller = await app.customer({ first_name, last_name: 'Quokkadottir', email, phone });
    await app.services.deliveries.deliver('email');
    await live({ caller, email, first_name });
    const { db } = app.services;
    const other = (await db.select().from(member_import_row)).length;
    await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, caller.id));

    await eraseAccount(app.services, { user_id: caller.id, why: 'asked' });
    await app.services.deliveries.deliver('email');

    const traces = [first_name, 'Quokkadottir', email, phone].map((it) => it.toLowerCase());
    const rows = [...(await wholeDatabase(app))].map(([table, text]) => `${table} ${text}`);
    const left = [...rows, ...app.logged].filter((text) => {
      const lower = text.toLowerCase();
      return traces.some((trace) => lower.includes(trace));
    });
    expect(left.map((text) => text.slice(0, 200))).toEqual([]);
    // Rows about others stay.
    const kept = (await db.select().from(member_import_row)).length;
    expect(other - kept).toBe(other > 0 ? 1 : 0);
    await db.delete(member_import);
    expect(await db.$count(profiles, eq(profiles.email, email))).toBe(0);
  },
);

it('someone who never confirmed the email erases nothing that is found by it alone: it may be another person’s', async () => {
  const email = 'owner-of-the-email@example.test';
  const stranger = await app.customer({ email });
  const { customer_id } = await venueMember(app, staff);
  const { db } = app.services;
  const at = app.clock.now();
  await db
    .insert(household_invitation)
    .values({ holder_id: customer_id, email, token_hash: 'y', created_at: at, expires_at: at });
  const file = await upload('members.csv', ['Name', 'Email'], ['Olive', email]);
  const rowsOf = () => db.$count(member_import_row, eq(member_import_row.import_id, file));

  await eraseAccount(app.services, { user_id: stranger.id, why: 'asked' });
  expect(await rowsOf()).toBe(2);
  expect(await db.$count(household_invitation, eq(household_invitation.email, email))).toBe(1);

  const owner = await app.customer({ email });
  await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, owner.id));
  await eraseAccount(app.services, { user_id: owner.id, why: 'asked' });
  expect(await rowsOf()).toBe(1);
  expect(await db.$count(household_invitation, eq(household_invitation.email, email))).toBe(0);
  await db.delete(member_import);
});

it('staff who delete an account erase what only its email finds, confirmed or not', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const { db } = app.services;
  const [{ email, emailVerified } = { email: '', emailVerified: true }] = await db
    .select()
    .from(profiles)
    .where(eq(profiles.id, caller.id));
  expect(emailVerified).toBe(false);
  const file = await upload('members.csv', ['Name', 'Email'], ['Ada', email]);
  await staff.must('POST', `/api/customers/${customer_id}/account/delete`, {
    password: PASSWORD,
    confirmation: 'DELETE',
  });
  expect(await db.$count(member_import_row, eq(member_import_row.import_id, file))).toBe(1);
});
