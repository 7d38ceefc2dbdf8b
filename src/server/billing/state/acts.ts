import { type ActKind, type ActState, type ActTerms, OPEN_ACTS } from '../../../domain/billing-act.ts';
import type { OpenMove } from '../../../domain/price-move.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq, inArray, sql } from '../../db/orm.ts';
import { billing_act } from '../../db/schema.ts';

type Row = typeof billing_act.$inferSelect;

type Act<Kind extends ActKind> = Row & { kind: Kind; terms: ActTerms[Kind] };
export type PauseAct = Act<'pause'> & { starts_at: Date; ends_at: Date };
export type EndAct = Act<'end'> & { ends_at: Date };
export type MoveAct = Act<'price_move'> & { starts_at: Date };
export type CollectionAct = Act<'collection'> & { stripe_subscription_id: string };
/** The table's check constraints guarantee these columns for each kind. */
export type AnyAct = PauseAct | EndAct | MoveAct | CollectionAct;

const isOpen = inArray(billing_act.state, OPEN_ACTS);
/** Price moves that are announced, and neither made nor withdrawn yet. */
export const isOpenMove = and(
  eq(billing_act.kind, 'price_move'),
  inArray(billing_act.state, ['asked', 'set']),
);

/** A subscription's pause, upcoming or begun; null without one. */
export async function openPause(
  db: Db | Tx,
  { user_id, stripe_subscription_id }: { user_id: string; stripe_subscription_id: string },
): Promise<PauseAct | null> {
  const isOf = eq(billing_act.stripe_subscription_id, stripe_subscription_id);
  const [act] = await db
    .select()
    .from(billing_act)
    .where(and(eq(billing_act.cause, `pause:${user_id}`), isOf, isOpen));
  return (act as PauseAct | undefined) ?? null;
}

/** The end that staff requested for a membership; null without one. */
export async function openEnd(db: Db | Tx, membership_id: string): Promise<EndAct | null> {
  const [act] = await db
    .select()
    .from(billing_act)
    .where(and(eq(billing_act.cause, `end:${membership_id}`), isOpen));
  return (act as EndAct | undefined) ?? null;
}

/** The end of a user's subscription that a paid year follows; null without one. */
export async function openYear(db: Db | Tx, user_id: string): Promise<EndAct | null> {
  const isYear = and(eq(billing_act.kind, 'end'), sql`${billing_act.terms} ->> 'ends' = 'year'`);
  const [act] = await db
    .select()
    .from(billing_act)
    .where(and(eq(billing_act.user_id, user_id), isYear, isOpen));
  return (act as EndAct | undefined) ?? null;
}

/** The move to another price that was announced for a subscription; null without one. */
export async function openMove(
  db: Db | Tx,
  stripe_subscription_id: string,
): Promise<(OpenMove & ActTerms['price_move']) | null> {
  const isOf = eq(billing_act.stripe_subscription_id, stripe_subscription_id);
  const [act] = await db.select().from(billing_act).where(and(isOf, isOpenMove));
  return act ? moveOf(act as MoveAct) : null;
}

export const moveOf = ({ terms, starts_at, state }: MoveAct): OpenMove & ActTerms['price_move'] => ({
  ...terms,
  effective_at: starts_at,
  state: state === 'set' ? 'set' : 'asked',
});

/**
 * Moves an act to another state, unless another process moved it first; true if moved. Clears `due`, unless `changes` sets
 * it.
 */
export async function changeAct(
  { db, now }: { db: Db | Tx; now(): Date },
  { id, state }: Pick<Row, 'id' | 'state'>,
  to: ActState,
  changes: Partial<Pick<Row, 'due' | 'terms' | 'ends_at'>> = {},
): Promise<boolean> {
  const settled_at = (OPEN_ACTS as readonly ActState[]).includes(to) ? null : now();
  const changed = await db
    .update(billing_act)
    .set({ state: to, settled_at, due: null, ...changes })
    .where(and(eq(billing_act.id, id), eq(billing_act.state, state)))
    .returning({ id: billing_act.id });
  return changed.length > 0;
}

/**
 * Withdraws the end that staff set for the end of the paid period, or that a year follows and Stripe may not have yet, because
 * the member has decided otherwise. Once Stripe has that one, it is off when the subscription renews. Call it before
 * resuming at Stripe, so that the end does not cancel again, and after canceling there, so that only the member can undo it.
 */
export async function leaveToMember(
  { db, now }: { db: Db | Tx; now(): Date },
  user_id: string,
): Promise<void> {
  const ends = await db
    .select()
    .from(billing_act)
    .where(and(eq(billing_act.user_id, user_id), eq(billing_act.kind, 'end'), isOpen));
  for (const act of ends as EndAct[]) {
    const isOff = act.terms.ends === 'year' ? act.state === 'asked' : act.terms.ends === 'period_end';
    if (isOff) await changeAct({ db, now }, act, 'withdrawn');
  }
}

/** A subscription's latest collection; null without one. */
export async function latestCollection(
  db: Db | Tx,
  { stripe_subscription_id, user_id }: { stripe_subscription_id: string; user_id: string },
): Promise<CollectionAct | null> {
  const [act] = await db
    .select()
    .from(billing_act)
    .where(
      and(
        eq(billing_act.user_id, user_id),
        eq(billing_act.kind, 'collection'),
        eq(billing_act.stripe_subscription_id, stripe_subscription_id),
      ),
    )
    .orderBy(desc(billing_act.created_at), desc(billing_act.id))
    .limit(1);
  return (act as CollectionAct | undefined) ?? null;
}
