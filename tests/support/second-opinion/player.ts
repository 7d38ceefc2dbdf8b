import { eq } from '../../../src/server/db/orm.ts';
import { customers } from '../../../src/server/db/schema.ts';
import type { Answer, Caller } from '../harness/caller.ts';
import type { Product } from './product.ts';

/** A person of a sequence, in the product. */
export interface Player {
  caller: Caller;
  /** Empty until the person becomes a member. */
  customer: string;
  pours: string[];
  guests: { id: string; state: 'held' | 'over' }[];
  /** Saved payment methods at Stripe, oldest first. */
  cards: string[];
}

export const done: Answer = { status: 200, body: {}, headers: new Headers() };

/** Informs the product of events at Stripe: by webhooks, and as when the member opens the app. */
export async function looked(product: Product, caller: Caller): Promise<Answer> {
  await product.control('webhooks/idle');
  return caller.call('POST', '/api/functions/verify-subscription-status', {});
}

/** Notes the member's id once there is one. */
export async function becameMember({ app }: Product, player: Player): Promise<void> {
  if (player.customer) return;
  const [row] = await app.services.db.select().from(customers).where(eq(customers.user_id, player.caller.id));
  player.customer = row?.id ?? '';
}
