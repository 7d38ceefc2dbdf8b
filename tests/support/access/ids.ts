import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  accounts,
  api_clients,
  deliveries,
  dues,
  guest_glass,
  member_import,
  member_note,
  member_note_version,
  membership_applications,
  memberships,
  passkeys,
  pours,
  push_device,
  staff_notice,
  two_factors,
  webhook_endpoint,
  webhook_event,
  wine,
  wine_picture,
} from '../../../src/server/db/schema.ts';
import { sealSecret } from '../../../src/server/platform/sealed-secret.ts';
import { signingSecret } from '../../../src/server/webhooks/endpoint-secret.ts';
import { setTierBenefits } from '../fixtures/benefits.ts';
import { applied, aRequestId, payAt, pour, RATINGS } from '../fixtures/members.ts';
import { createFactor } from '../fixtures/second-factor.ts';
import { PASSWORD } from '../harness/app.ts';
import type { Cast } from './cast.ts';

/** A new email without an account each time, because rate limits count per email. */
export function nobody({ app }: Cast) {
  return { email: `nobody-${app.services.newId()}@example.test` };
}

export const challenge = () => randomBytes(32).toString('base64url');

export async function memberApplication({ app, member }: Cast) {
  const own = eq(membership_applications.user_id, member.caller.id);
  const [row] = await app.services.db
    .select({ id: membership_applications.id })
    .from(membership_applications)
    .where(own);
  return { id: row?.id ?? '' };
}

export async function newApplication({ app }: Cast) {
  return { id: await applied(await app.customer()) };
}

export const newGuest = ({ app }: Cast) => ({
  first_name: 'Mira',
  last_name: 'Sol',
  email: `guest-${app.services.newId()}@example.test`,
});

/** Removes guest glasses: the tier's limit is per month, and other callers act as the same member. */
export async function noGuestGlass({ app }: Cast) {
  await app.services.db.update(guest_glass).set({ withdrawn_at: app.clock.now() });
  return {};
}

/** An old guest glass of the member. */
export async function newGuestGlass({ app, member: { customer_id } }: Cast) {
  const { db, newId } = app.services;
  const id = newId();
  const at = new Date(0);
  await db
    .insert(guest_glass)
    .values({ id, customer_id, pool_id: customer_id, created_at: at, expires_at: at });
  return { id };
}

export async function newSignUp(cast: Cast) {
  const { application_id } = await cast.staff.must<{ application_id: string }>('POST', '/api/bar-sign-ups', {
    person: newGuest(cast),
    tier: 'select',
  });
  return { application_id };
}

/** A taste, without a pending application: other rows of the table create some. */
export async function newTaste({ app }: Cast) {
  const { db } = app.services;
  await db.delete(membership_applications).where(eq(membership_applications.status, 'pending'));
  return RATINGS;
}

/** A counted benefit of the member's tier, of which none is taken. */
export async function newBenefit({ staff, member }: Cast) {
  const words = `Tasting ${aRequestId()}`;
  const [benefit] = await setTierBenefits(staff, [{ words, every: 'month', number: 1 }], 'premier');
  return { customer_id: member.customer_id, benefit_id: benefit?.id ?? '' };
}

export async function newPour({ staff, member }: Cast) {
  const { body } = await pour(staff, member.customer_id);
  return { id: (body.pour as { id: string }).id };
}

export async function newSession({ app, member_email, member }: Cast) {
  await app.visitor().must('POST', '/api/auth/sign-in', { email: member_email, password: PASSWORD });
  const sessions = await member.caller.must<{ id: string; current: boolean }[]>('GET', '/api/sessions');
  return { id: sessions.find((it) => !it.current)?.id };
}

export async function newIdentity({ app, member }: Cast) {
  const account = { userId: member.caller.id, providerId: 'elsewhere', accountId: 'member-elsewhere' };
  const at = app.clock.now();
  await app.services.db
    .insert(accounts)
    .values({ id: app.services.newId(), ...account, createdAt: at, updatedAt: at })
    .onConflictDoNothing();
  const own = and(eq(accounts.userId, account.userId), eq(accounts.providerId, account.providerId));
  const [row] = await app.services.db.select({ id: accounts.id }).from(accounts).where(own);
  return { id: row?.id };
}

/** A second factor of the member, created once and never confirmed, so that nothing changes for them. */
export async function memberFactor({ app, member }: Cast) {
  const own = eq(two_factors.userId, member.caller.id);
  const [row] = await app.services.db.select({ id: two_factors.id }).from(two_factors).where(own);
  return { id: row?.id ?? (await createFactor(member.caller, PASSWORD)).id };
}

export async function newApiClient({ app, member }: Cast) {
  const id = app.services.newId();
  const row = {
    id,
    user_id: member.caller.id,
    name: 'Till',
    secret_hash: 'hash',
    created_at: app.clock.now(),
  };
  await app.services.db.insert(api_clients).values(row);
  return { id };
}

/** A push device with an endpoint other than that of `pushDevices.create`. */
export async function newPushDevice({ app, member }: Cast) {
  const id = app.services.newId();
  await app.services.db.insert(push_device).values({
    id,
    user_id: member.caller.id,
    session_id: id,
    endpoint: `https://push.example.com/${id}`,
    p256dh: 'key',
    auth: 'secret',
    server_key: 'key',
    created_at: app.clock.now(),
  });
  return { id };
}

export async function newPasskey({ app, member }: Cast) {
  const id = app.services.newId();
  await app.services.db.insert(passkeys).values({
    id,
    userId: member.caller.id,
    name: 'Laptop',
    credentialID: id,
    publicKey: 'key',
    counter: 0,
    deviceType: 'singleDevice',
    backedUp: false,
  });
  return { id };
}

export async function newNote({ app, member }: Cast) {
  const { db, newId } = app.services;
  const [id, at] = [newId(), app.clock.now()];
  await db.insert(member_note).values({ id, customer_id: member.customer_id, created_at: at });
  const written = { body: 'Likes Riesling', written_by_staff_id: member.caller.id, written_at: at };
  await db.insert(member_note_version).values({ note_id: id, version: 1, ...written });
  return { id };
}

/** A payment of the member's at the venue. */
export async function newPayment({ app, member }: Cast) {
  const { db, newId } = app.services;
  const [membership] = await db
    .select()
    .from(memberships)
    .where(eq(memberships.customer_id, member.customer_id));
  const id = newId();
  await db.insert(dues).values({
    id,
    request_id: newId(),
    customer_id: member.customer_id,
    membership_id: membership?.id ?? '',
    kind: 'payment',
    reference: 'R-1',
    amount_cents: 3900,
    months: 1,
    method: 'cash',
    ...{ paid_on: '2026-01-01', paid_from: '2026-01-01', paid_until: '2026-02-01' },
    recorded_by_staff_id: member.caller.id,
    created_at: app.clock.now(),
  });
  return { id };
}

/** A pour of the member's with a wine. */
export async function newGlass(cast: Cast) {
  const { app, member } = cast;
  const [id, wine] = [app.services.newId(), await newWine(cast)];
  await app.services.db.insert(pours).values({
    id,
    request_id: app.services.newId(),
    customer_id: member.customer_id,
    quantity: 1,
    location: 'main_bar',
    toast_reference_number: 'POUR-1',
    status: 'redeemed',
    recorded_by_staff_id: member.caller.id,
    // Before the grants of this month.
    created_at: new Date(0),
    wine_id: wine.id,
  });
  return { id };
}

export async function newWinePicture(cast: Cast) {
  const { id } = await newWine(cast);
  const picture = { version: 'v', content: Uint8Array.of(1) };
  await cast.app.services.db.insert(wine_picture).values({ wine_id: id, ...picture });
  return { id };
}

export async function newWine({ app }: Cast) {
  const { db, newId } = app.services;
  const [id, at] = [newId(), app.clock.now()];
  const said = { name: id, color: 'red' as const, sweetness: 1, body: 3, tannin: 3, acidity: 3 };
  const kept = {
    glasses_per_bottle: 6,
    state: 'coming' as const,
    position: 1,
    created_at: at,
    updated_at: at,
  };
  await db.insert(wine).values({ id, ...said, ...kept });
  return { id };
}

/** A finished import of members. */
export const newAdoption = (cast: Cast) => newImport(cast, 'stripe');

export async function newImport({ app }: Cast, source: 'file' | 'stripe' = 'file') {
  const id = app.services.newId();
  // An open import of another row would block the next one.
  await app.services.db.delete(member_import);
  await app.services.db.insert(member_import).values({
    id,
    source,
    file_name: 'members.csv',
    status: 'imported',
    columns: ['Email'],
    mapping: { email: 0 },
    date_order: 'month_first',
    new_tags: [],
    created_at: app.clock.now(),
  });
  return { id };
}

export async function newStaffNotice({ app, member }: Cast) {
  const id = app.services.newId();
  await app.services.db.insert(staff_notice).values({
    id,
    kind: 'customer_missing',
    cause: `customer_missing:${id}`,
    user_id: member.caller.id,
    facts: { stripe_customer_id: 'cus_missing' },
    created_at: app.clock.now(),
  });
  return { id };
}

export async function newPreview({ member }: Cast) {
  const details = await member.caller.must<{ subscription: { tier: string } }>(
    'POST',
    '/api/functions/get-subscription-details',
    {},
  );
  const tier = details.subscription.tier === 'premier' ? 'elite' : 'select';
  const { id } = await member.caller.must<{ id: string }>('POST', '/api/billing/tier/preview', { tier });
  return { preview_id: id };
}

/** A refund of one more cent of the member's last payment. */
export async function newRefund({ app, member }: Cast) {
  const [payment] = await member.caller.must<{ id: string; amount_refunded: number }[]>(
    'GET',
    '/api/billing/payments',
  );
  const shown_refunded = payment?.amount_refunded;
  const reason = 'A long wait';
  return { request_id: app.services.newId(), payment_id: payment?.id, amount: 1, shown_refunded, reason };
}

export async function memberInvoice({ member }: Cast) {
  const [payment] = await member.caller.must<{ id: string }[]>('GET', '/api/billing/payments');
  return { invoice_id: payment?.id };
}

/** A new endpoint, removed by the next call: a venue may have ten. */
export async function newWebhook({ app }: Cast) {
  const { db, newId, newSecret, webhookKey } = app.services;
  await db.delete(webhook_endpoint);
  const id = newId();
  const secret = sealSecret(webhookKey, signingSecret(newSecret()), { of: id, random: newSecret() });
  const created_at = app.clock.now();
  await db.insert(webhook_endpoint).values({
    id,
    url: 'https://till.example/',
    description: 'Till',
    events: ['member.left'],
    secret,
    created_at,
  });
  return { id };
}

export async function newDelivery(cast: Cast) {
  const { db, newId } = cast.app.services;
  const { id: endpoint_id } = await newWebhook(cast);
  const [event_id, id, happened_at] = [newId(), newId(), cast.app.clock.now()];
  await db.insert(webhook_event).values({ id: event_id, type: 'test', data: {}, happened_at });
  const row = { id, kind: 'webhook' as const, cause: id, event_id, endpoint_id, created_at: happened_at };
  await db.insert(deliveries).values(row);
  return { id };
}

export const newGift = () => ({
  request_id: v7(),
  tier: 'select',
  months: 3,
  from_name: 'Anna',
  to_name: 'Ben',
  delivery: 'card',
});

/** An unredeemed gift that the member bought. */
export async function memberGift({ member }: Cast) {
  const draft = newGift();
  const { url } = await member.caller.must<{ url: string }>('POST', '/api/gifts', draft);
  await payAt(url);
  await member.caller.must('POST', `/api/gifts/${draft.request_id}/check`, {});
  return { id: draft.request_id };
}
