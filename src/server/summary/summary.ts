import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredPreferences } from '../../contract/applications.ts';
import { Refusal } from '../../contract/refusals.ts';
import { CLOCK_SKEW_MS } from '../../domain/calendar.ts';
import {
  hasAnswers,
  longDate,
  longDay,
  MAX_TASTED_LINES,
  type MemberRecord,
  PROMPT_VERSION,
} from '../../domain/summary.ts';
import { wineTitle } from '../../domain/wine/wine.ts';
import { and, eq, gt, isNull, lt, lte, ne, or } from '../db/orm.ts';
import { customers, profile_summary, profiles } from '../db/schema.ts';
import { preferencesOf } from '../membership/taste.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { getLastVisit } from '../pours/visits.ts';
import { verdictsOf } from '../taste/palate.ts';
import type { SummaryWriter } from './model.ts';
import type { SummaryContext } from './summary-context.ts';

/** The data in the request, or the id of a member whose record replaces it. */
export interface SummaryRequest {
  customerId?: string;
  preferences?: StoredPreferences;
  memberName?: string;
  lastVisit?: string;
  memberSince?: string;
}

/** Requests without a member's record: enough to try it out, too few to chat with the model. */
const WITHOUT_RECORD = { max: 20, window: 60 };
const POLL_MS = 200;
/** A call this far past its timeout will not return: its process has ended. */
const OVERDUE_MS = 5_000;

/**
 * A few sentences about a member's taste; '' when there is nothing to say, no model is configured, or it fails. With a
 * customer id (or user id) the data comes from the database alone, and the model is called once per set of answers. Throws
 * Refusal NOT_FOUND, TOO_MANY_ATTEMPTS.
 */
export async function generateProfileSummary(
  ctx: SummaryContext,
  { customerId, ...stated }: SummaryRequest,
): Promise<{ summary: string }> {
  const { summaries } = ctx;
  if (customerId) {
    const { customer_id, record } = await recordOf(ctx, customerId);
    if (!summaries || !hasAnswers(record)) return { summary: '' };
    const key = keyOf(summaries, customer_id, { ...record.preferences, tasted: record.tasted ?? [] });
    return {
      summary: await summaries.together(key, () => storedOrWritten(ctx, summaries, key, customer_id, record)),
    };
  }
  const record: MemberRecord = {
    memberName: stated.memberName ?? '',
    memberSince: stated.memberSince ?? '',
    lastVisit: stated.lastVisit ?? '',
    preferences: stated.preferences ?? {},
  };
  if (!summaries || !hasAnswers(record)) return { summary: '' };
  await consumeRateLimit(ctx, `generate-profile-summary:${ctx.actor.user_id}`, WITHOUT_RECORD);
  return {
    summary: await summaries.together(keyOf(summaries, 'stated', record), () =>
      write(ctx, summaries, record),
    ),
  };
}

/** A member's record from our own rows. Only the first name is sent to the model. */
async function recordOf(
  ctx: SummaryContext,
  id: string,
): Promise<{ customer_id: string; record: MemberRecord }> {
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
  const { glasses } = await verdictsOf(ctx.db, row.id, MAX_TASTED_LINES);
  const lines = glasses.map(
    ({ wine, verdict, comment }) =>
      `${verdict.replace('_', ' ')}: ${wineTitle(wine)} (${wine.color})${comment ? `, "${comment}"` : ''}`,
  );
  return {
    customer_id: row.id,
    record: {
      memberName: row.first_name,
      memberSince: longDay(row.member_since),
      lastVisit: lastVisit ? longDate(lastVisit, ctx.venue.time_zone) : '',
      preferences: (await preferencesOf(ctx, row.user_id)) ?? {},
      ...(lines.length > 0 && { tasted: lines }),
    },
  };
}

/** Cache key: member, answers, model, prompt, optional visits. */
function keyOf({ model }: SummaryWriter, owner: string, answers: object): string {
  const entries = Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, model, owner, entries]))
    .digest('hex');
}

async function write(
  { log }: SummaryContext,
  summaries: SummaryWriter,
  record: MemberRecord,
): Promise<string> {
  try {
    return await summaries.write(record);
  } catch (error) {
    // The error's request holds the member's answers, which do not belong in the log.
    const { name, statusCode } = error as { name?: string; statusCode?: number };
    log.warn({ reason: name, status: statusCode }, 'no profile summary: the model failed');
    return '';
  }
}

/** The stored summary. Without one, this process calls the model unless another process already does. */
async function storedOrWritten(
  ctx: SummaryContext,
  summaries: SummaryWriter,
  key: string,
  customer_id: string,
  record: MemberRecord,
): Promise<string> {
  const { db, now } = ctx;
  const asked_at = now();
  const limit = new Date(asked_at.getTime() + CLOCK_SKEW_MS);
  const deadline = new Date(asked_at.getTime() - summaries.timeLimitMs - OVERDUE_MS);
  const [row] = await db
    .insert(profile_summary)
    .values({ key, customer_id, asked_at })
    .onConflictDoUpdate({
      target: profile_summary.key,
      set: { asked_at },
      // A request dated in the future was made with a wrong clock.
      setWhere: and(
        isNull(profile_summary.summary),
        or(lt(profile_summary.asked_at, deadline), gt(profile_summary.asked_at, limit)),
      ),
    })
    .returning({ key: profile_summary.key });
  if (!row) return storedSoon(ctx, summaries, key);

  const summary = await write(ctx, summaries, record);
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

/** The summary stored under the key; waits as long as another process's call may take. */
async function storedSoon(
  { db }: SummaryContext,
  { timeLimitMs }: SummaryWriter,
  key: string,
): Promise<string> {
  for (let waited = 0; waited <= timeLimitMs + OVERDUE_MS; waited += POLL_MS) {
    const [row] = await db.select().from(profile_summary).where(eq(profile_summary.key, key));
    if (!row) return '';
    if (row.summary !== null) return row.summary;
    await pause(POLL_MS);
  }
  return '';
}
