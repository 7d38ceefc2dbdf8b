import { addDays, addMonths, localDate, startOfDay } from '../../domain/calendar.ts';
import { type AccountUse, deletionDay, type RetentionStep, retentionStep } from '../../domain/retention.ts';
import { authEmails } from '../auth/auth-emails.ts';
import { lockBilling } from '../billing/state/current-subscription.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, asc, eq, gt, isNull, lt, type SQL, sql } from '../db/orm.ts';
import { profiles, sessions, user_roles } from '../db/schema.ts';
import { takeTurn } from '../db/task-turn.ts';
import { sendEmail } from '../mail/send-email.ts';
import type { Club } from '../membership/club/club.ts';
import { lockPerson } from '../membership/record/locks.ts';
import { eraseAccount } from './erasure.ts';
import type { ErasureContext } from './privacy-context.ts';

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
  const { club, outbox, venue, now, log } = ctx;
  const months = club.current().retention_months;
  if (months === 0 || !outbox.sends) return;
  const { time_zone } = venue;
  const before = startOfDay(addDays(addMonths(localDate(now(), time_zone), -months), 2), time_zone);
  const counts = { notified: 0, erased: 0, refused: 0 };
  const acts = () => counts.notified + counts.erased + counts.refused;
  let after: string | null = null;
  do {
    const page: IdleAccount[] = await listIdleAccounts(ctx, { before, after, limit: PAGE });
    for (const account of page) {
      const step = stepFor(ctx, account);
      if (step === 'keep') continue;
      const outcome = await (step === 'notify' ? notify(ctx, account) : erase(ctx, account));
      if (outcome) counts[outcome] += 1;
      if (acts() >= MAX_A_DAY) break;
    }
    after = page.length === PAGE ? (page.at(-1)?.user_id ?? null) : null;
  } while (after && acts() < MAX_A_DAY);
  if (acts() > 0) log.info(counts, NAME);
}

function stepFor({ club, venue, now }: RetentionContext, account: IdleAccount): RetentionStep {
  const months = club.current().retention_months;
  return retentionStep(account, { months, now: now(), timeZone: venue.time_zone });
}

/** Locks the person, in the order of erasure, and says whether the step is still due. */
async function isStillDue(ctx: RetentionContext, tx: Tx, userId: string, step: RetentionStep) {
  await lockBilling(tx, userId);
  await lockPerson(tx, userId, 'update');
  const account = await findIdleAccount(ctx, tx, userId);
  return account !== null && stepFor(ctx, account) === step;
}

function notify(ctx: RetentionContext, { user_id, noticed_at }: IdleAccount): Promise<'notified' | null> {
  return ctx.db.transaction(async (tx) => {
    if (!(await isStillDue(ctx, tx, user_id, 'notify'))) return null;
    const at = ctx.now();
    const date = deletionDay(at, ctx.venue.time_zone);
    await sendEmail(ctx, tx, {
      user_id,
      // Another one follows only after this one is recorded.
      cause: `unused:${user_id}:${noticed_at?.getTime() ?? 0}`,
      email: authEmails.account_unused.about({ months: ctx.club.current().retention_months, on: date }),
    });
    await tx.update(profiles).set({ retention_notice_at: at }).where(eq(profiles.id, user_id));
    return 'notified';
  });
}

async function erase(ctx: RetentionContext, { user_id }: IdleAccount): Promise<'erased' | 'refused' | null> {
  try {
    // Checked before anything ends at Stripe, and again under the lock.
    const account = await findIdleAccount(ctx, ctx.db, user_id);
    if (account === null || stepFor(ctx, account) !== 'erase') return null;
    const stillDue = (tx: Tx) => isStillDue(ctx, tx, user_id, 'erase');
    return (await eraseAccount(ctx, { user_id, why: 'unused', stillDue })) ? 'erased' : null;
  } catch (error) {
    ctx.log.warn({ err: error }, 'an unused account could not be deleted');
    return 'refused';
  }
}

interface IdleAccount extends AccountUse {
  user_id: string;
}

const ownId = sql`(select id from customers where user_id = ${profiles.id})`;

/** Whether a user has, or waits for, anything that an erasure would cut off. */
const engaged = sql`(
  exists (select 1 from customers c where c.user_id = ${profiles.id} and c.status = 'active')
  or exists (select 1 from memberships m where m.customer_id in ${ownId} and m.status = 'active')
  or exists (select 1 from household_seat s where s.ended_at is null and (s.customer_id in ${ownId} or s.holder_id in ${ownId}))
  or exists (select 1 from membership_applications a
             where a.user_id = ${profiles.id} and a.status = 'pending' and a.is_complete)
  or exists (select 1 from billing_subscription s
             where s.user_id = ${profiles.id} and s.status not in ('canceled', 'incomplete_expired'))
  or exists (select 1 from checkout_attempt t where t.user_id = ${profiles.id} and t.status in ('creating', 'open'))
  or exists (select 1 from billing_act b
             where b.user_id = ${profiles.id} and b.state in ('asked', 'set', 'withdrawing'))
  or exists (select 1 from billing_refund r where r.user_id = ${profiles.id} and r.status = 'asked')
  or exists (select 1 from billing_reversal r where r.user_id = ${profiles.id} and r.done_at is null)
  or exists (select 1 from billing_payment p where p.user_id = ${profiles.id} and p.dispute_state = 'open')
  or exists (select 1 from staff_notice n where n.user_id = ${profiles.id} and n.settled_at is null)
  or exists (select 1 from gift_membership g left join memberships m on m.id = g.membership_id
             where g.buyer_id = ${profiles.id}
               and (g.status in ('ordered', 'paid', 'refunding') or g.disputed or m.status = 'active'))
)`;

const selectIdle = (db: Db | Tx, time_zone: string, filter: SQL | undefined) =>
  db
    .select({
      user_id: profiles.id,
      created_at: profiles.createdAt,
      last_used_at: sql<Date | null>`greatest(${profiles.last_sign_in_at},
        (select max(s.updated_at) from sessions s where s.user_id = ${profiles.id}))`.mapWith(
        sessions.updatedAt,
      ),
      membership_ended_on: sql<string | null>`greatest(
        (select max(m.end_date) from memberships m where m.customer_id in ${ownId}),
        (select (max(s.ended_at) at time zone ${time_zone})::date from household_seat s where s.customer_id in ${ownId}))::text`,
      noticed_at: profiles.retention_notice_at,
    })
    .from(profiles)
    .innerJoin(user_roles, and(eq(user_roles.user_id, profiles.id), eq(user_roles.role, 'customer')))
    .where(and(isNull(profiles.erased_at), sql`not ${engaged}`, filter))
    .orderBy(asc(profiles.id));

const listIdleAccounts = (
  { db, venue }: Pick<RetentionContext, 'db' | 'venue'>,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<IdleAccount[]> => {
  const page = and(lt(profiles.createdAt, before), after ? gt(profiles.id, after) : undefined);
  return selectIdle(db, venue.time_zone, page).limit(limit);
};

async function findIdleAccount(
  { venue }: Pick<RetentionContext, 'venue'>,
  db: Db | Tx,
  userId: string,
): Promise<IdleAccount | null> {
  const [row] = await selectIdle(db, venue.time_zone, eq(profiles.id, userId));
  return row ?? null;
}
