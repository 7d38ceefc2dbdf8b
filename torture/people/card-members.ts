import type { Sandbox } from '../../sandbox/index.ts';
import { TEST_CARD } from '../../tests/support/fixtures/members.ts';
import { pick } from '../options.ts';
import { type Client, type Reply, signedIn } from './client.ts';
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
}

export async function cardMember(
  server: string,
  sandbox: Sandbox,
  { email }: Person,
  nth: number,
): Promise<CardMember> {
  const client = await signedIn(server, email, PASSWORD, `10.1.0.${nth + 1}`);
  const tier = TIERS[nth % TIERS.length] ?? 'select';
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
  const status = await payPage(sandbox, String(url), email);
  if (status !== 303) throw new Error(`The payment page answered ${status}`);
  await client.must(server, 'POST', '/api/functions/verify-subscription-status', {});
  const { customer } = await client.must(server, 'GET', '/api/customers/own');
  return { client, customer_id: customer.id };
}

/** Pays on the sandbox's page. Returns the status: 303 for paid, 410 for a closed page. */
export async function payPage(sandbox: Sandbox, url: string, email: string): Promise<number> {
  const response = await fetch(url.replace(/^https?:\/\/[^/]+/, sandbox.url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, ...TEST_CARD }),
  });
  return response.status;
}

export async function memberAct(
  random: () => number,
  server: () => string,
  { client }: CardMember,
): Promise<{ name: string; reply: Reply }> {
  const call = async (name: string, path: string, body: object = {}) => ({
    name,
    reply: await client.call(server(), 'POST', path, body),
  });
  const dice = random();
  if (dice < 0.45) {
    const preview = await call('preview', '/api/billing/tier/preview', { tier: pick(random, TIERS) });
    if (preview.reply.status !== 200) return preview;
    return call('change tier', '/api/billing/tier', { preview_id: preview.reply.body.id });
  }
  if (dice < 0.55) return call('keep tier', '/api/billing/tier/cancel-change');
  if (dice < 0.62) return call('cancel', '/api/functions/cancel-subscription');
  if (dice < 0.85) return call('resume', '/api/billing/resume');
  return call('verify', '/api/functions/verify-subscription-status');
}
