import { Refusal } from '../../../contract/refusals.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Actor } from '../../platform/actor.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { tryOutRefusal } from '../joining.ts';
import { planStripe, setUpStripe } from '../setup/set-up-stripe.ts';
import type { SetupReport } from '../setup/setup-report.ts';
import type { SmokeLine } from './smoke-report.ts';
import { runTryOut } from './try-out.ts';

/** Runs setups one at a time in this process; the queue is per user, and a setup belongs to none. */
const QUEUE = 'set-up of payments';

type Done = Pick<SetupReport, 'mode' | 'steps'>;

/**
 * Carries out `plan`, and returns what was done; the signing secret stays on the server. Recorded in the audit before
 * anything changes at Stripe. Then tries Stripe out, if everything is set up: `closed` if new members cannot join by card.
 * Throws Refusal SETUP_CHANGED if the steps have changed since.
 */
export function setUpByStaff(
  { billing: ctx, actor }: BillingCall,
  { plan }: { plan: string },
): Promise<Done & { tried: SmokeLine[]; closed: boolean }> {
  return ctx.runInUserQueue(QUEUE, async () => {
    const done = await doPlan(ctx, actor, plan);
    if (done.steps.some(({ outcome }) => outcome === 'failed'))
      return { ...done, tried: [], closed: (await tryOutRefusal(ctx)) !== null };
    return { ...done, ...(await runTryOut(ctx, actor)) };
  });
}

async function doPlan(ctx: BillingContext, actor: Actor, plan: string): Promise<Done> {
  const now = await planStripe(ctx);
  if (now.plan !== plan) throw new Refusal('SETUP_CHANGED');
  const count = (outcome: string) => now.steps.filter((it) => it.outcome === outcome).length;
  const facts = { mode: now.mode, made: count('make'), changed: count('change') };
  if (facts.made + facts.changed === 0 && count('unread') === 0) {
    return {
      mode: now.mode,
      steps: now.steps.map(({ text }) => ({ outcome: 'unchanged' as const, text })),
    };
  }
  await ctx.db.transaction((tx) =>
    recordAudit(tx, { ...ctx, actor }, { act: 'payments_set_up', subject_id: null, facts }),
  );
  const { mode, steps } = await setUpStripe(ctx);
  return { mode, steps };
}
