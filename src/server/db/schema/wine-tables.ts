import {
  TRAIT_MAX,
  TRAIT_MIN,
  WINE_COLORS,
  WINE_STATES,
  WINE_TRAITS,
  type WineTrait,
} from '../../../domain/wine/wine.ts';
import { check, index, integer, pgTable, smallint, sql, text, uniqueIndex, uuid } from '../orm.ts';
import { instant, quoted } from './columns.ts';

const trait = (name: WineTrait) => smallint(name).notNull();

/** The venue's wines. Never deleted, because pours reference them: a retired one is 'gone'. */
export const wine = pgTable(
  'wine',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    producer: text('producer').notNull().default(''),
    region: text('region').notNull().default(''),
    country: text('country').notNull().default(''),
    grape: text('grape').notNull().default(''),
    /** Null for a wine without a single vintage. */
    vintage: smallint('vintage'),
    color: text('color', { enum: WINE_COLORS }).notNull(),
    sweetness: trait('sweetness'),
    body: trait('body'),
    tannin: trait('tannin'),
    acidity: trait('acidity'),
    /** Shown to members. */
    notes: text('notes').notNull().default(''),
    glasses_per_bottle: smallint('glasses_per_bottle').notNull(),
    /** The venue's cost of a bottle; members never see it. */
    cost_cents: integer('cost_cents'),
    /** 'open' exactly while a bottle is open. */
    state: text('state', { enum: WINE_STATES }).notNull(),
    position: integer('position').notNull(),
    created_at: instant('created_at').notNull(),
    updated_at: instant('updated_at').notNull(),
  },
  (t) => [
    index('wine_position').on(t.position),
    check('wine_color_known', sql`${t.color} in (${quoted(WINE_COLORS)})`),
    check('wine_state_known', sql`${t.state} in (${quoted(WINE_STATES)})`),
    check(
      'wine_traits',
      sql.raw(WINE_TRAITS.map((name) => `${name} between ${TRAIT_MIN} and ${TRAIT_MAX}`).join(' and ')),
    ),
    check('wine_glasses', sql`${t.glasses_per_bottle} > 0`),
    check('wine_cost', sql`${t.cost_cents} >= 0`),
  ],
);

/** An opened bottle. Its remaining glasses follow from the pours that reference it. */
export const bottle = pgTable(
  'bottle',
  {
    id: uuid('id').primaryKey(),
    wine_id: uuid('wine_id')
      .notNull()
      .references(() => wine.id),
    /** Glasses in the bottle, from the wine when it was opened. */
    glasses: smallint('glasses').notNull(),
    opened_at: instant('opened_at').notNull(),
    finished_at: instant('finished_at'),
  },
  (t) => [
    // For record_pour, which looks up the latest.
    index('bottle_of_wine').on(t.wine_id, t.opened_at),
    uniqueIndex('bottle_one_open').on(t.wine_id).where(sql`${t.finished_at} is null`),
    check('bottle_glasses', sql`${t.glasses} > 0`),
  ],
);
