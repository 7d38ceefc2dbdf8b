import { v7 } from 'uuid';
import type { Sandbox } from '../../sandbox/index.ts';
import type { Journal } from '../journal.ts';
import { pick } from '../options.ts';
import { record } from './bartenders.ts';
import { type CardMember, payPage } from './card-members.ts';
import { type Client, signedIn } from './client.ts';
import { PASSWORD, type Person, type Seeded } from './venue.ts';

/** A user without their own membership at the start. Gets a customer id by sharing or redeeming. */
export interface Partner {
  client: Client;
  customer_id: string | null;
}

export interface Arena {
  servers: string[];
  staff: Client;
  seeded: Seeded;
  members: CardMember[];
  partners: Partner[];
  journal: Journal;
  random: () => number;
  sandbox: Sandbox;
}

export const partnersOf = (server: string, people: Person[]): Promise<Partner[]> =>
  Promise.all(
    people.map(async ({ email }, nth) => ({
      client: await signedIn(server, email, PASSWORD, `10.2.0.${nth + 1}`),
      customer_id: null,
    })),
  );

export async function sharingAct(arena: Arena): Promise<string> {
  const dice = arena.random();
  if (dice < 0.35) return joinAttempt(arena);
  if (dice < 0.45) return endAttempt(arena);
  if (dice < 0.75) return guestAttempt(arena);
  if (dice < 0.86) return pauseAttempt(arena);
  if (dice < 0.95) return glassesAttempt(arena);
  return giftAttempt(arena);
}

async function ask(
  { random, servers, journal }: Arena,
  client: Client,
  method: string,
  path: string,
  body?: object,
) {
  const reply = await client.call(pick(random, servers), method, path, body);
  const isExcused = ['PAYMENTS_UNAVAILABLE', 'SERVICE_UNAVAILABLE'].includes(reply.body?.code);
  if (reply.status >= 500 && !isExcused)
    journal.unexpected.push(`${method} ${path} was answered ${reply.status}`);
  return { ...reply, ok: reply.status < 300 };
}

/** A member invites, and two people follow the link at once: only one may share. */
async function joinAttempt(arena: Arena): Promise<string> {
  const { random, members, partners, journal } = arena;
  const invitation = await ask(arena, pick(random, members).client, 'PUT', '/api/household/invitation', {});
  if (!invitation.ok) return `invite ${invitation.status}`;
  const token = String(invitation.body.url).split('#')[1];
  const accept = async (partner: Partner) => {
    const invitation = await ask(arena, partner.client, 'POST', '/api/household-invitations/read', { token });
    const consent_version = invitation.body?.consent?.version;
    const reply = await ask(arena, partner.client, 'POST', '/api/household-invitations/accept', {
      token,
      consent_version,
    });
    if (reply.ok) await remember(arena, partner);
    return reply.ok;
  };
  const replies = await Promise.all([accept(pick(random, partners)), accept(pick(random, partners))]);
  // If the same person follows it twice, one call is refused, because a used link is invalid.
  if (replies.filter(Boolean).length > 1) journal.unexpected.push('a link was accepted twice');
  return `join ${replies.some(Boolean) ? 'done' : 'refused'}`;
}

async function remember(arena: Arena, partner: Partner): Promise<void> {
  const reply = await ask(arena, partner.client, 'GET', '/api/customers/own');
  if (reply.ok) partner.customer_id = reply.body.customer?.id ?? partner.customer_id;
}

async function endAttempt(arena: Arena): Promise<string> {
  const { random, members, partners } = arena;
  const caller = pick(random, random() < 0.5 ? members : partners).client;
  return `end sharing ${(await ask(arena, caller, 'DELETE', '/api/household')).status}`;
}

/** A guest glass is poured at two bars at once, sometimes while being withdrawn: at most one act succeeds. */
async function guestAttempt(arena: Arena): Promise<string> {
  const { random, members, partners, journal } = arena;
  const joiners = partners.filter((it): it is CardMember => it.customer_id !== null);
  const giver = pick(random, joiners.length > 0 && random() < 0.4 ? joiners : members);
  const reply = await ask(arena, giver.client, 'POST', '/api/guest-glasses', {});
  if (!reply.ok) return `guest glass ${reply.status}`;
  const guest_glass_id: string = reply.body.id;
  const token = String(reply.body.url).split('#')[1];
  await ask(arena, giver.client, 'POST', '/api/guest-glasses/state-age', { token, age: 99 });
  const requests = [1, 2].map(() =>
    journal.open({ request_id: v7(), customer_id: giver.customer_id, quantity: 1, guest_glass_id }),
  );
  const takesBack = random() < 0.4;
  const [withdrawal] = await Promise.all([
    takesBack ? ask(arena, giver.client, 'DELETE', `/api/guest-glasses/${guest_glass_id}`) : null,
    ...requests.map((request) => record(arena, request)),
  ]);
  const count = requests.filter(({ outcome }) => outcome === 'recorded').length;
  if (count + (withdrawal?.ok ? 1 : 0) > 1) journal.unexpected.push('a glass for a guest was there twice');
  return `guest glass ${count > 0 ? 'poured' : withdrawal?.ok ? 'taken back' : 'refused'}`;
}

/** Staff give glasses, or take some back, while others may pour them. */
async function glassesAttempt(arena: Arena): Promise<string> {
  const { random, members, seeded, staff } = arena;
  const customer = random() < 0.5 ? pick(random, members).customer_id : pick(random, seeded.modest);
  const glasses = random() < 0.5 ? 2 : -1;
  const gift = { request_id: v7(), kind: 'correction', reason: 'Counted wrong', glasses };
  const { status } = await ask(arena, staff, 'POST', `/api/customers/${customer}/glasses`, gift);
  return `${glasses > 0 ? 'glasses given' : 'glasses taken back'} ${status}`;
}

async function pauseAttempt(arena: Arena): Promise<string> {
  const { client } = pick(arena.random, arena.members);
  if (arena.random() < 0.5) {
    return `pause ${(await ask(arena, client, 'POST', '/api/billing/pause', { months: 1 })).status}`;
  }
  const offer = await ask(arena, client, 'GET', '/api/billing/pause');
  if (!offer.body?.pause) return 'return without a pause';
  const { amount } = offer.body.pause;
  return `return ${(await ask(arena, client, 'POST', '/api/billing/pause/end', { amount })).status}`;
}

/** A gift is bought, and redeemed by two people at once, sometimes while being refunded: at most one act succeeds. */
async function giftAttempt(arena: Arena): Promise<string> {
  const { random, members, partners, journal, sandbox } = arena;
  const buyer = pick(random, members).client;
  const id = v7();
  const [tier, months] = [random() < 0.5 ? 'household' : 'select', 3];
  const draft = { request_id: id, tier, months, from_name: 'Ada', to_name: 'Ben', delivery: 'card' };
  const order = await ask(arena, buyer, 'POST', '/api/gifts', draft);
  if (!order.ok || !order.body.url) return `gift ${order.status}`;
  // The buyer may have begun another gift, which closes this page.
  const page = await payPage(sandbox, String(order.body.url), 'buyer@torture.test');
  if (page !== 303) return `gift page ${page}`;
  await ask(arena, buyer, 'POST', `/api/gifts/${id}/check`, {});
  const { body, ok, status } = await ask(arena, buyer, 'POST', `/api/gifts/${id}/code`, {});
  if (!ok) return `gift code ${status}`;
  const redeem = async (partner: Partner) => {
    const reply = await ask(arena, partner.client, 'POST', '/api/gifts/redeem', { code: body.code });
    if (reply.ok) await remember(arena, partner);
    return reply.ok;
  };
  const [first, second] = [pick(random, partners), pick(random, partners)];
  const refund = random() < 0.5;
  const outcomes = await Promise.all([
    redeem(first),
    // If the same person redeemed it twice, it is the same membership.
    first === second ? false : redeem(second),
    refund && ask(arena, buyer, 'POST', `/api/gifts/${id}/refund`, {}).then((it) => it.ok),
  ]);
  if (outcomes.filter(Boolean).length > 1)
    journal.unexpected.push('a gift was redeemed twice, or given back as well');
  return `gift ${outcomes[0] || outcomes[1] ? 'redeemed' : outcomes[2] ? 'given back' : 'kept'}`;
}
