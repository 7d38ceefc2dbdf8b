import { addDays, addMonths, localDate, startOfDay } from '../../domain/calendar.ts';
import { deletionDay, type RetentionStep, retentionStep } from '../../domain/retention.ts';
import { authEmails } from '../auth/auth-emails.ts';
import { lockBilling } from '../billing/subscription/current-subscription.ts';
import type { Tx } from '../db/client.ts';
import { eq } from '../db/orm.ts';
import { profiles } from '../db/schema.ts';
import { takeTurn } from '../db/task-turn.ts';
import { sendEmail } from '../mail/send-email.ts';
import type { Club } from '../membership/club/club.ts';
import { lockPerson } from '../membership/record/person-lock.ts';
import { eraseAccount } from './erasure.ts';
import type { ErasureContext } from './privacy-context.ts';
import { findIdleAccount, type IdleAccount, listIdleAccounts } from './unused-accounts.ts';

interface RetentionContext extends ErasureContext {
  club: Pick<Club, 'current'>;
}

const DAY_MS = 24 * 3_600_000;
/** How often to check whether the day's turn is due: a server that restarts every day has its turn too. */
const CHECK_EVERY_MS = 3_600_000;
const NAME = 'unused accounts';
const PAGE = 200;
/** Emails and deletions in one run. The rest follow the next day. */
const MAX_A_DAY = 500;

/** The scheduler's task for accounts that nobody uses, once a day on one server. */
export const retentionTask = (ctx: RetentionContext) => ({
  name: NAME,
  everyMs: CHECK_EVERY_MS,
  run: () => retainAccounts(ctx),
  isTurn: () => takeTurn(ctx.db, NAME, DAY_MS),
});

/**
 * Emails users without a membership who have not signed in for the months that the club set, and deletes the accounts of
 * those who stay away for 30 more days: docs/rules/accounts.md, "Personal data". A deletion that fails waits for the next
 * run. Nothing happens without a mail server: no email would warn of it.
 */
export async function retainAccounts(ctx: RetentionContext): Promise<void> {
  const { db, club, outbox, venue, now, log } = ctx;
  const months = club.current().retention_months;
  if (months === 0 || !outbox.sends) return;
  const { time_zone } = venue;
  const before = startOfDay(addDays(addMonths(localDate(now(), time_zone), -months), 2), time_zone);
  const done = { notified: 0, erased: 0, refused: 0 };
  const acts = () => done.notified + done.erased + done.refused;
  let after: string | null = null;
  do {
    const page: IdleAccount[] = await listIdleAccounts(db, { before, after, limit: PAGE });
    for (const account of page) {
      const step = stepFor(ctx, account);
      if (step === 'keep') continue;
      const outcome = await (step === 'notify' ? notify(ctx, account) : erase(ctx, account));
      if (outcome) done[outcome] += 1;
      if (acts() >= MAX_A_DAY) break;
    }
    after = page.length === PAGE ? (page.at(-1)?.user_id ?? null) : null;
  } while (after && acts() < MAX_A_DAY);
  if (acts() > 0) log.info(done, NAME);
}

function stepFor({ club, venue, now }: RetentionContext, account: IdleAccount): RetentionStep {
  const months = club.current().retention_months;
  return retentionStep(account, { months, now: now(), timeZone: venue.time_zone });
}

/** Whether the step is still due, with the person locked, in the order of erasure. */
async function isStillDue(ctx: RetentionContext, tx: Tx, userId: string, step: RetentionStep) {
  await lockBilling(tx, userId);
  await lockPerson(tx, userId, 'update');
  const account = await findIdleAccount(tx, userId);
  return account !== null && stepFor(ctx, account) === step;
}

function notify(ctx: RetentionContext, { user_id, noticed_at }: IdleAccount): Promise<'notified' | null> {
  return ctx.db.transaction(async (tx) => {
    if (!(await isStillDue(ctx, tx, user_id, 'notify'))) return null;
    const at = ctx.now();
    const on = deletionDay(at, ctx.venue.time_zone);
    await sendEmail(ctx, tx, {
      user_id,
      // Another one follows only after this one is recorded.
      cause: `unused:${user_id}:${noticed_at?.getTime() ?? 0}`,
      email: authEmails.account_unused.about({ months: ctx.club.current().retention_months, on }),
    });
    await tx.update(profiles).set({ retention_notice_at: at }).where(eq(profiles.id, user_id));
    return 'notified';
  });
}

async function erase(ctx: RetentionContext, { user_id }: IdleAccount): Promise<'erased' | 'refused' | null> {
  try {
    // Asked before anything ends at Stripe, and again under the lock.
    const account = await findIdleAccount(ctx.db, user_id);
    if (account === null || stepFor(ctx, account) !== 'erase') return null;
    const stillDue = (tx: Tx) => isStillDue(ctx, tx, user_id, 'erase');
    return (await eraseAccount(ctx, { user_id, unused: true, stillDue })) ? 'erased' : null;
  } catch (error) {
    ctx.log.warn({ err: error }, 'an unused account could not be deleted');
    return 'refused';
  }
}
