import { ACT_KINDS, ACT_STATES, type ActKind, type ActTerms } from '../../../../domain/billing-act.ts';
import { check, index, jsonb, pgTable, sql, text, uniqueIndex, uuid } from '../../orm.ts';
import { profiles, userId } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { memberships } from '../membership-tables.ts';

/**
 * An act on billing that was asked for here. Committed before anything is asked of Stripe, and carried out by the
 * reconciliation of its user (billing/acts). The effect on the membership is in memberships and billing_subscription.
 */
export const billing_act = pgTable(
  'billing_act',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ACT_KINDS }).notNull(),
    user_id: userId('user_id'),
    /** The subject, by kind: one act for a cause may be open. */
    cause: text('cause').notNull(),
    state: text('state', { enum: ACT_STATES }).notNull(),
    /** When the sweeper has something to do for it; null for never, as far as we know. */
    due: instant('due'),
    /** Null for a membership at the venue. */
    stripe_subscription_id: text('stripe_subscription_id'),
    /** The membership that an end is about. */
    membership_id: uuid('membership_id').references(() => memberships.id, { onDelete: 'cascade' }),
    /** The renewal that a pause leaves out first, or with which a new price begins. */
    starts_at: instant('starts_at'),
    /** The renewal with which the member pays again after a pause, or the end in the member's notice. */
    ends_at: instant('ends_at'),
    terms: jsonb('terms').$type<ActTerms[ActKind]>().notNull(),
    asked_by: text('asked_by', { enum: ['member', 'staff'] }).notNull(),
    asked_by_staff_id: uuid('asked_by_staff_id').references(() => profiles.id),
    created_at: instant('created_at').notNull(),
    settled_at: instant('settled_at'),
  },
  (t) => [
    uniqueIndex('billing_act_one_open')
      .on(t.cause)
      .where(
        sql`${t.state} in ('asked', 'set') or (${t.state} = 'withdrawing' and ${t.kind} <> 'price_move')`,
      ),
    index('billing_act_user').on(t.user_id, t.created_at.desc()),
    index('billing_act_due').on(t.due).where(sql`${t.due} is not null`),
    index('billing_act_membership').on(t.membership_id),
    check('billing_act_kind_known', sql`${t.kind} in ('pause', 'end', 'price_move', 'collection')`),
    check(
      'billing_act_state_known',
      sql`${t.state} in ('asked', 'set', 'withdrawing', 'withdrawn', 'done', 'refused')`,
    ),
    check(
      'billing_act_pause',
      sql`${t.kind} <> 'pause' or (${t.starts_at} < ${t.ends_at} and (${t.terms} ->> 'months')::integer between 1 and 3)`,
    ),
    check(
      'billing_act_end',
      sql`${t.kind} <> 'end' or (num_nulls(${t.membership_id}, ${t.ends_at}) = 0 and ${t.terms} ->> 'ends' in ('period_end', 'now', 'year')
        and (${t.terms} ->> 'ends' = 'year') = (${t.asked_by_staff_id} is null))`,
    ),
    check(
      'billing_act_price_move',
      sql`${t.kind} <> 'price_move' or num_nulls(${t.starts_at}, ${t.stripe_subscription_id}) = 0`,
    ),
    check(
      'billing_act_collection',
      sql`${t.kind} <> 'collection' or (${t.stripe_subscription_id} is not null
        and num_nulls(${t.terms} ->> 'stripe_invoice_id', ${t.terms} ->> 'payment_method') = 0)`,
    ),
  ],
);
