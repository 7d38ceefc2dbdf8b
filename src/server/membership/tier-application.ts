import { SURVEY_STEPS } from '../../domain/application.ts';
import type { Tx } from '../db/client.ts';
import { and, eq } from '../db/orm.ts';
import { membership_applications } from '../db/schema.ts';
import { assertOffered } from './tiers.ts';

/**
 * The application of someone who signs up at the bar or joins from a tier, ready to be paid or approved: their own pending
 * one with its answers, or a new one without, as the survey can be taken later. The caller has locked the profile. Throws
 * Refusal TIER_NOT_AVAILABLE.
 */
export async function applyForTier(
  { now, newId }: { now(): Date; newId(): string },
  tx: Tx,
  { user_id, tier }: { user_id: string; tier: string },
): Promise<{ application_id: string }> {
  await assertOffered(tx, tier);
  const at = now();
  const values = { selected_tier: tier, is_complete: true, current_step: SURVEY_STEPS, updated_at: at };
  const [row] = await tx
    .update(membership_applications)
    .set(values)
    .where(and(eq(membership_applications.user_id, user_id), eq(membership_applications.status, 'pending')))
    .returning({ id: membership_applications.id });
  if (row) return { application_id: row.id };
  const id = newId();
  await tx
    .insert(membership_applications)
    .values({ id, user_id, status: 'pending', ...values, created_at: at });
  return { application_id: id };
}
