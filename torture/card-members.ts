import type { Sandbox } from '../sandbox/index.ts';
import { TEST_CARD } from '../tests/support/fixtures/members.ts';
import { type Client, signedIn } from './client.ts';
import { pick } from './options.ts';
import { PASSWORD, type Person } from './venue.ts';

const TIERS = ['select', 'premier', 'elite', 'household'];
const ANSWERS = {
  wine_knowledge: 5,
  drinking_frequency: 6,
  red_wine_preference: 8,
  white_wine_preference: 3,
  adventurousness: 9,
};

export interface CardMember {
  client: Client;
  customer_id: string;
  /** Of the tier change that they were shown last. */
  preview?: string;
}

/** Signs someone in, applies, pays on the sandbox's page, and waits for the membership. */
export async function cardMember(
  server: string,
  sandbox: Sandbox,
  { email }: Person,
  nth: number,
): Promise<CardMember> {
  const client = await signedIn(server, email, PASSWORD, `10.1.0.${nth + 1}`);
  const tier = TIERS[nth % 3] ?? 'select';
  const { id } = await client.must(server, 'PUT', '/api/applications/own', {
    preferences: ANSWERS,
    selected_tier: tier,
    current_step: 2,
    is_complete: true,
  });
  const { url } = await client.must(server, 'POST', '/api/functions/create-checkout', {
    tierName: tier,
    applicationId: id,
  });
  const page = String(url).replace(/^https?:\/\/[^/]+/, sandbox.url);
  const paid = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, ...TEST_CARD }),
  });
  if (paid.status !== 303) throw new Error(`The payment page answered ${paid.status}`);
  await client.must(server, 'POST', '/api/functions/verify-subscription-status', {});
  const { customer } = await client.must(server, 'GET', '/api/customers/own');
  return { client, customer_id: customer.id };
}

/** Something that a member who pays by card may do to the membership. */
export function memberActs(
  random: () => number,
  member: CardMember,
): { name: string; path: string; body: object } {
  const dice = random();
  if (dice < 0.25)
    return { name: 'preview', path: '/api/billing/tier/preview', body: { tier: pick(random, TIERS) } };
  if (dice < 0.45 && member.preview) {
    return { name: 'change tier', path: '/api/billing/tier', body: { preview_id: member.preview } };
  }
  if (dice < 0.55) return { name: 'keep tier', path: '/api/billing/tier/cancel-change', body: {} };
  if (dice < 0.65) return { name: 'cancel', path: '/api/functions/cancel-subscription', body: {} };
  if (dice < 0.85) return { name: 'resume', path: '/api/billing/resume', body: {} };
  return { name: 'verify', path: '/api/functions/verify-subscription-status', body: {} };
}
