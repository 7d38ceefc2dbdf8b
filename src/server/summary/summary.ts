import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { StoredPreferences } from '../../contract/applications.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hasAnswers, longDate, longDay, type MemberRecord, PROMPT_VERSION } from '../../domain/summary.ts';
import { customers, profile_summary, profiles } from '../db/schema.ts';
import { preferencesOf } from '../membership/members.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { getLastVisit } from '../pours/visits.ts';
import type { SummaryContext } from './context.ts';
import type { SummaryWriter } from './model.ts';

/** The fields of spec section 7, and the member they should come from instead. */
export interface SummaryRequest {
  customerId?: string;
  preferences?: StoredPreferences;
  memberName?: string;
  lastVisit?: string;
  memberSince?: string;
}

/** For answers that no member's record stands behind: enough to look at, too few to chat with. */
const STATED = { max: 20, window: 60 };
const LOOK_EVERY_MS = 200;
/** Past its time limit a call is not coming back: its process ended. */
const OVERDUE_MS = 5_000;

/**
 * A few sentences about a guest's taste, '' when there is nothing to say or nobody to ask, or the model
 * fails. With a customer id (or user id) the record comes from the database alone, and the model is asked once
 * for each change of the answers. Throws Refusal NOT_FOUND, TOO_MANY_ATTEMPTS.
 */
export async function generateProfileSummary(
  ctx: SummaryContext,
  { customerId, ...stated }: SummaryRequest,
): Promise<{ summary: string }> {
  const { summaries } = ctx;
  if (customerId) {
    const { customer_id, guest } = await recordOf(ctx, customerId);
    if (!summaries || !hasAnswers(guest.preferences)) return { summary: '' };
    const key = keyOf(summaries, customer_id, guest.preferences);
    return {
      summary: await summaries.together(key, () => storedOrWritten(ctx, summaries, key, customer_id, guest)),
    };
  }
  const guest: MemberRecord = {
    memberName: stated.memberName ?? '',
    memberSince: stated.memberSince ?? '',
    lastVisit: stated.lastVisit ?? '',
    preferences: stated.preferences ?? {},
  };
  if (!summaries || !hasAnswers(guest.preferences)) return { summary: '' };
  await consumeRateLimit(ctx, `generate-profile-summary:${ctx.actor.user_id}`, STATED);
  return {
    summary: await summaries.together(keyOf(summaries, 'stated', guest), () => write(ctx, summaries, guest)),
  };
}

/** What our own rows say of a member. Of the name only the first leaves the house: taste needs no more. */
async function recordOf(
  ctx: SummaryContext,
  id: string,
): Promise<{ customer_id: string; guest: MemberRecord }> {
  const [row] = await ctx.db
    .select({
      id: customers.id,
      user_id: customers.user_id,
      first_name: profiles.first_name,
      member_since: customers.member_since,
    })
    .from(customers)
    .innerJoin(profiles, eq(profiles.id, customers.user_id))
    .where(or(eq(customers.id, id), eq(customers.user_id, id)))
    .limit(1);
  if (!row) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const lastVisit = await getLastVisit(ctx, row.id);
  return {
    customer_id: row.id,
    guest: {
      memberName: row.first_name,
      memberSince: longDay(row.member_since),
      lastVisit: lastVisit ? longDate(lastVisit, ctx.timeZone) : '',
      preferences: (await preferencesOf(ctx, row.user_id)) ?? {},
    },
  };
}

/** Changes with the member, the answers, the model and the wording of the prompt; with no visit. */
function keyOf({ model }: SummaryWriter, whose: string, answers: object): string {
  const sorted = Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, model, whose, sorted]))
    .digest('hex');
}

async function write(
  { log }: SummaryContext,
  summaries: SummaryWriter,
  guest: MemberRecord,
): Promise<string> {
  try {
    return await summaries.write(guest);
  } catch (error) {
    // The request holds the guest's answers; the log does not need them.
    const { name, statusCode } = error as { name?: string; statusCode?: number };
    log.warn({ reason: name, status: statusCode }, 'no profile summary: the model failed');
    return '';
  }
}

/** The stored summary; else this process asks, unless another one already does. */
async function storedOrWritten(
  ctx: SummaryContext,
  summaries: SummaryWriter,
  key: string,
  customer_id: string,
  guest: MemberRecord,
): Promise<string> {
  const { db, now } = ctx;
  const asked_at = now();
  const overdue = new Date(asked_at.getTime() - summaries.timeLimitMs - OVERDUE_MS);
  const [mine] = await db
    .insert(profile_summary)
    .values({ key, customer_id, asked_at })
    .onConflictDoUpdate({
      target: profile_summary.key,
      set: { asked_at },
      setWhere: sql`${profile_summary.summary} is null and ${profile_summary.asked_at} < ${overdue.toISOString()}`,
    })
    .returning({ key: profile_summary.key });
  if (!mine) return storedSoon(ctx, summaries, key);

  const summary = await write(ctx, summaries, guest);
  if (summary === '') {
    await db
      .delete(profile_summary)
      .where(and(eq(profile_summary.key, key), isNull(profile_summary.summary)));
    return '';
  }
  await db.update(profile_summary).set({ summary }).where(eq(profile_summary.key, key));
  await db
    .delete(profile_summary)
    .where(
      and(
        eq(profile_summary.customer_id, customer_id),
        ne(profile_summary.key, key),
        lte(profile_summary.asked_at, asked_at),
      ),
    );
  return summary;
}

/** What is stored under the key, waiting as long as the process that is asking may take. */
async function storedSoon(
  { db }: SummaryContext,
  { timeLimitMs }: SummaryWriter,
  key: string,
): Promise<string> {
  for (let waited = 0; waited <= timeLimitMs + OVERDUE_MS; waited += LOOK_EVERY_MS) {
    const [row] = await db.select().from(profile_summary).where(eq(profile_summary.key, key));
    if (!row) return '';
    if (row.summary !== null) return row.summary;
    await pause(LOOK_EVERY_MS);
  }
  return '';
}
