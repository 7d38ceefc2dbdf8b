import type { InputOf } from '../../contract/base.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { glasses } from '../../contract/staff/glasses.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refusing } from '../db/results.ts';
import { sqlFunction } from '../db/statements/prepared-statements.ts';
import { userOfMember } from './member-user.ts';
import type { PourContext } from './pour-context.ts';

type Answer =
  | { outcome: 'given' | 'repeated' | 'exceeded'; available: number }
  | { outcome: 'reused' | 'not_found' | 'not_active' };

const askGiveGlasses = sqlFunction<Answer>('give_glasses');

/**
 * The SQL function give_glasses locks, decides and inserts; negative glasses are taken back (docs/rules/glasses.md,
 * "Glasses"). Throws Refusal NOT_FOUND, CUSTOMER_NOT_ACTIVE, POURS_EXCEEDED (with the number left) or REQUEST_ID_REUSED.
 */
export async function giveGlasses(
  ctx: PourContext,
  draft: InputOf<typeof glasses.give>,
): Promise<{ pours_balance: number; repeated: boolean }> {
  const { db, actor, newId, now, venue } = ctx;
  const row = { ...draft, id: newId(), given_by_staff_id: actor.user_id, created_at: now() };
  // Locks on two members do not exclude each other, so both can use the same request_id at once.
  const refusals = { given_glasses_request_id_unique: new Refusal('REQUEST_ID_REUSED') };
  const answer = await refusing(refusals, () =>
    db.transaction(async (tx) => {
      const result = await askGiveGlasses(tx, { given: row, time_zone: venue.time_zone });
      if (result.outcome === 'given') {
        const subject_id = await userOfMember(tx, draft.customer_id);
        const facts = { gift_id: row.id, kind: draft.kind, glasses: draft.glasses };
        await recordAudit(tx, ctx, { act: 'glasses_given', subject_id, facts });
      }
      return result;
    }),
  );
  switch (answer.outcome) {
    case 'given':
    case 'repeated':
      return { pours_balance: answer.available, repeated: answer.outcome === 'repeated' };
    case 'exceeded':
      throw new Refusal('POURS_EXCEEDED', { available_pours: answer.available });
    case 'not_active':
      throw new Refusal('CUSTOMER_NOT_ACTIVE');
    case 'reused':
      throw new Refusal('REQUEST_ID_REUSED');
    case 'not_found':
      throw new Refusal('NOT_FOUND', { what: 'customer' });
  }
}
