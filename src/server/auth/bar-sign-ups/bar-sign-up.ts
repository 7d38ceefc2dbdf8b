import type { InputOf } from '../../../contract/base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import type { BarSignUp, barSignUps, KnownPersonDetail } from '../../../contract/staff/bar-sign-ups.ts';
import { approvedTier } from '../../../domain/application.ts';
import type { Payments } from '../../../domain/billing.ts';
import { PAYMENT_LINK_MINUTES, signUpState } from '../../../domain/staff/bar-sign-up.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, inArray } from '../../db/orm.ts';
import { refusing } from '../../db/results.ts';
import {
  checkout_attempt,
  customers,
  membership_applications,
  payment_link,
  profiles,
} from '../../db/schema.ts';
import { approve } from '../../membership/application-reviews.ts';
import type { MembershipContext } from '../../membership/membership-context.ts';
import { lockPerson } from '../../membership/record/locks.ts';
import { applyForTier } from '../../membership/tier-application.ts';
import { newLink } from '../../platform/secret-link.ts';
import type { AuthContext } from '../auth-context.ts';
import {
  createPerson,
  type FoundPerson,
  inviteToSignIn,
  losesPassword,
  type PersonKey,
  personOf,
} from './sign-up-person.ts';

// Rules: docs/rules/membership.md, "Signing up at the bar".

export type BarSignUpContext = AuthContext & MembershipContext & { billing: { payments: Payments } };

type SignUp = InputOf<typeof barSignUps.create>;

/** The person with that email or id, and what signing them up would do. Null if there is none. */
export async function findPerson(
  ctx: BarSignUpContext,
  key: PersonKey,
): Promise<{ person: KnownPersonDetail | null }> {
  const match = await personOf(ctx.db, 'email' in key ? { email: key.email.toLowerCase() } : key);
  if (!match) return { person: null };
  const { on_record: _, ...person } = match;
  return { person: { ...person, loses_password: losesPassword(ctx, match) } };
}

/**
 * Starts a membership at the bar: account, application and either the approval, with a reference number, or a link to
 * pay by, in one transaction. An open card checkout is closed before an approval, so that nobody pays twice.
 * Throws Refusal NOT_FOUND, PERSON_KNOWN, ALREADY_STAFF, ALREADY_MEMBER, TIER_NOT_AVAILABLE, PAYMENTS_OFF, DUES_REFUSED,
 * SETTING_REFUSED.
 */
export async function signUpAtBar(ctx: BarSignUpContext, input: SignUp) {
  const { person, toast_reference_number, house } = input;
  const byPhone = !toast_reference_number && !house;
  if (byPhone && ctx.billing.payments === 'off') throw new Refusal('PAYMENTS_OFF');
  if (!byPhone && 'user_id' in person) await ctx.paymentPages.close(person.user_id);
  // Someone with this email signed up at the same moment.
  return refusing({ profiles_email_unique: new Refusal('PERSON_KNOWN') }, () =>
    ctx.db.transaction((tx) => signUp(ctx, tx, input)),
  );
}

async function signUp(ctx: BarSignUpContext, tx: Tx, { person, tier, house, ...receipt }: SignUp) {
  const { toast_reference_number } = receipt;
  const { user_id, account } = await admit(ctx, tx, person);
  const { application_id } = await applyForTier(ctx, tx, { user_id, tier });
  const payment = house ? 'on the house' : toast_reference_number ? 'at the venue' : 'by phone';
  await recordAudit(tx, ctx, {
    act: 'member_signed_up',
    subject_id: user_id,
    facts: { application_id, tier, paid: payment, account },
  });
  if (!toast_reference_number && !house) {
    const link = await makeLink(ctx, tx, { application_id, user_id });
    return { user_id, application_id, customer_id: null, link };
  }
  const id = application_id;
  const { customer_id } = await approve(
    ctx,
    tx,
    house ? { id, house } : { id, ...receipt, toast_reference_number: toast_reference_number ?? '' },
  );
  return { user_id, application_id, customer_id, link: null };
}

/** The person's account, created if needed, and locked: sign-ups of one person happen one after the other. */
async function admit(ctx: BarSignUpContext, tx: Tx, person: SignUp['person']) {
  if (!('user_id' in person)) {
    const email = person.email.toLowerCase();
    const match = await personOf(tx, { email });
    if (match?.known_as === 'staff') throw new Refusal('ALREADY_STAFF');
    if (match) throw new Refusal('PERSON_KNOWN');
    const user_id = await createPerson(ctx, tx, { ...person, email });
    await inviteToSignIn(ctx, tx, { user_id, on_record: false });
    return { user_id, account: 'made' as const };
  }
  const { user_id } = person;
  // This lock is weak enough for inserts of rows that reference the application or the profile.
  await lockPerson(tx, user_id, 'no key update', { only: ['applications', 'profile'] });
  const applicant = await personOf(tx, { user_id });
  assertCanJoin(applicant);
  return { user_id, account: await inviteToSignIn(ctx, tx, applicant) };
}

function assertCanJoin(person: FoundPerson | null): asserts person is FoundPerson {
  if (!person) throw new Refusal('NOT_FOUND', { what: 'person' });
  if (person.known_as === 'staff') throw new Refusal('ALREADY_STAFF');
  if (person.known_as === 'member') throw new Refusal('ALREADY_MEMBER');
}

/** Makes a new link, which ends the previous one. Its token is not stored. */
async function makeLink(
  ctx: BarSignUpContext,
  tx: Tx,
  parties: { application_id: string; user_id: string },
): Promise<{ url: string; expires_at: string }> {
  const { token, link } = newLink(ctx, { minutes: PAYMENT_LINK_MINUTES });
  const values = {
    ...link,
    browser_hash: null,
    created_by_staff_id: ctx.actor.user_id,
    opened_at: null,
    continued_at: null,
  };
  await tx
    .insert(payment_link)
    .values({ ...parties, ...values })
    .onConflictDoUpdate({ target: payment_link.application_id, set: values });
  return { url: `${ctx.venue.public_url}/join#${token}`, expires_at: link.expires_at.toISOString() };
}

/** A new link for a sign-up that is not paid yet. Throws Refusal NOT_FOUND, APPLICATION_NOT_PENDING, PAYMENTS_OFF. */
export async function renewLink(ctx: BarSignUpContext, { application_id }: { application_id: string }) {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ status: membership_applications.status, user_id: payment_link.user_id })
      .from(payment_link)
      .innerJoin(membership_applications, eq(membership_applications.id, payment_link.application_id))
      .where(eq(payment_link.application_id, application_id))
      .for('update', { of: payment_link });
    if (!row) throw new Refusal('NOT_FOUND', { what: 'sign-up' });
    if (row.status !== 'pending') throw new Refusal('APPLICATION_NOT_PENDING', { status: row.status });
    return makeLink(ctx, tx, { application_id, user_id: row.user_id });
  });
}

/** The state of a sign-up that is paid on the member's phone. Throws Refusal NOT_FOUND. */
export async function getSignUp(
  { db, now }: BarSignUpContext,
  { application_id }: { application_id: string },
): Promise<BarSignUp> {
  const [row] = await db
    .select({
      link: payment_link,
      application: membership_applications,
      profile: profiles,
      customer_id: customers.id,
      open_page: checkout_attempt.id,
    })
    .from(payment_link)
    .innerJoin(membership_applications, eq(membership_applications.id, payment_link.application_id))
    .innerJoin(profiles, eq(profiles.id, payment_link.user_id))
    .leftJoin(customers, and(eq(customers.user_id, profiles.id), eq(customers.status, 'active')))
    .leftJoin(
      checkout_attempt,
      and(
        eq(checkout_attempt.user_id, payment_link.user_id),
        inArray(checkout_attempt.status, ['creating', 'open']),
      ),
    )
    .where(eq(payment_link.application_id, application_id));
  if (!row) throw new Refusal('NOT_FOUND', { what: 'sign-up' });
  const { link, application, profile, customer_id, open_page } = row;
  return {
    application_id,
    user_id: profile.id,
    first_name: profile.first_name,
    last_name: profile.last_name,
    email: profile.email,
    tier: approvedTier(application.selected_tier),
    state: signUpState({ application: application.status, link, isPageOpen: open_page !== null }, now()),
    expires_at: link.expires_at.toISOString(),
    customer_id,
  };
}
