import { recordAudit } from '../../audit/record-audit.ts';
import { stripe_setup } from '../../db/schema.ts';
import type { Actor } from '../../platform/actor.ts';
import type { BillingDeps } from '../billing-context.ts';
import { TRY_OUT, tryOutRefusal } from '../joining.ts';
import { smokeStripe } from './smoke.ts';
import type { SmokeLine } from './smoke-report.ts';

/**
 * Runs the try-out. A refusal closes joining until a try-out passes; an outage changes nothing. docs/rules/staff.md, "First
 * start".
 */
export async function runTryOut(
  deps: BillingDeps,
  actor: Actor,
): Promise<{ tried: SmokeLine[]; closed: boolean }> {
  const { mode, lines } = await smokeStripe(deps);
  const refused = lines.find(({ verdict }) => verdict === 'refused');
  const before = await tryOutRefusal(deps);
  if (!refused && lines.some(({ verdict }) => verdict === 'unanswered'))
    return { tried: lines, closed: before !== null };
  const refusal = refused ? `${refused.about}: ${refused.text}` : null;
  const row = { refusal, request_id: deps.newId(), created_at: deps.now() };
  await deps.db.transaction(async (tx) => {
    await tx
      .insert(stripe_setup)
      .values({ kind: TRY_OUT, ...row })
      .onConflictDoUpdate({ target: stripe_setup.kind, set: row });
    if ((before !== null) === (refusal !== null)) return;
    const joining: 'open' | 'closed' = refusal === null ? 'open' : 'closed';
    const facts = { mode, joining };
    await recordAudit(tx, { ...deps, actor }, { act: 'joining_tried', subject_id: null, facts });
  });
  return { tried: lines, closed: refusal !== null };
}
