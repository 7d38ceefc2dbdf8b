import { and, asc, eq, inArray } from '../../db/orm.ts';
import { member_import } from '../../db/schema.ts';
import type { ImportWorker } from '../import-context.ts';
import { adoptStep } from './adopt-step.ts';
import { readStep } from './read-step.ts';
import { undoStep } from './undo-adoptions.ts';

const STEPS = { reading: readStep, importing: adoptStep, undoing: undoStep } as const;

/**
 * Runs the next step that calls Stripe, outside of any transaction: results are only written if no other server was faster.
 * False if there is nothing to do. Throws Stripe's errors; the next run retries.
 */
export async function adoptionStep(ctx: ImportWorker): Promise<boolean> {
  const [record] = await ctx.db
    .select()
    .from(member_import)
    .where(
      and(
        eq(member_import.source, 'stripe'),
        inArray(member_import.status, ['reading', 'importing', 'undoing']),
      ),
    )
    .orderBy(asc(member_import.created_at))
    .limit(1);
  if (!record) return false;
  await STEPS[record.status as keyof typeof STEPS](ctx, record);
  return true;
}
