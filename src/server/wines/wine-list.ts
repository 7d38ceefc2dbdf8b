import { Refusal } from '../../contract/refusals.ts';
import { type ListedWine, listedWine, type PouredWine, type StaffWine } from '../../contract/wine/wines.ts';
import type { Db, Tx } from '../db/client.ts';
import { asc, eq, inArray, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { wine, wine_picture } from '../db/schema.ts';
import type { Actor } from '../platform/actor.ts';
import { isoInstant } from '../platform/sql-text.ts';

export interface WinesContext {
  db: Db;
  actor: Actor;
  now(): Date;
  newId(): string;
}

// Rules: docs/rules/wines.md, "Wines".

const RECENT_DAYS = 30;

/** The columns of the contract's pouredWine. */
export const WINE_FIELDS = {
  id: wine.id,
  name: wine.name,
  producer: wine.producer,
  vintage: wine.vintage,
  color: wine.color,
};
export const WINE_TRAIT_FIELDS = {
  sweetness: wine.sweetness,
  body: wine.body,
  tannin: wine.tannin,
  acidity: wine.acidity,
};

const glassesPoured = (bottle: string) =>
  sql.raw(`(select coalesce(sum(p.quantity), 0)::integer from pours p
             where p.bottle_id = ${bottle} and not exists (select from pour_voids v where v.pour_id = p.id))`);

interface Row extends Omit<StaffWine, 'bottle'> {
  bottle_id: string | null;
  opened_at: string;
  glasses: number;
  left: number;
}

type Reader = Pick<WinesContext, 'actor' | 'now'>;

/** Wines in the venue's order. Shared tablets do not see a bottle's cost. */
async function readWines({ actor, now }: Reader, db: Db | Tx, id?: string): Promise<StaffWine[]> {
  const since = new Date(now().getTime() - RECENT_DAYS * 24 * 60 * 60_000).toISOString();
  const rows = await rowsOf<Row>(
    db,
    sql`select w.id, w.name, w.producer, w.region, w.country, w.grape, w.vintage, w.color, w.sweetness, w.body,
               w.tannin, w.acidity, w.notes, w.glasses_per_bottle, w.cost_cents, w.state, i.version as picture,
               b.id as bottle_id, ${isoInstant(sql`b.opened_at`)} as opened_at, b.glasses,
               b.glasses - ${glassesPoured('b.id')} as left,
               (select coalesce(sum(${glassesPoured('r.id')}), 0)::integer from bottle r
                 where r.wine_id = w.id and r.opened_at > ${since}::timestamptz) as recently_poured
          from wine w left join bottle b on b.wine_id = w.id and b.finished_at is null
          left join wine_picture i on i.wine_id = w.id
         where ${id === undefined ? sql`true` : sql`w.id = ${id}::uuid`}
         order by w.position, w.id`,
  );
  return rows.map(({ bottle_id, opened_at, glasses, left, cost_cents, ...said }) => ({
    ...said,
    ...(!actor.bar_device_id && { cost_cents }),
    bottle: bottle_id ? { id: bottle_id, opened_at, glasses, left } : null,
  }));
}

export function listWines(ctx: WinesContext): Promise<StaffWine[]> {
  return readWines(ctx, ctx.db);
}

/** One wine in the staff's form. Throws Refusal NOT_FOUND. */
export async function readWine(ctx: Reader, db: Db | Tx, id: string): Promise<StaffWine> {
  const [match] = await readWines(ctx, db, id);
  if (!match) throw new Refusal('NOT_FOUND', { what: 'wine' });
  return match;
}

/** Open wines for the pour form: most poured recently first, then in the venue's order. */
export async function listOpenWines(ctx: WinesContext): Promise<PouredWine[]> {
  const wines = (await readWines(ctx, ctx.db)).filter(({ state }) => state === 'open');
  return wines
    .toSorted((a, b) => b.recently_poured - a.recently_poured)
    .map(({ id, name, producer, vintage, color }) => ({ id, name, producer, vintage, color }));
}

/** The members' list: open wines in the venue's order, then coming ones. */
export async function listTonightsWines({ db }: Pick<WinesContext, 'db'>): Promise<ListedWine[]> {
  const rows = await db
    .select({
      ...WINE_FIELDS,
      ...WINE_TRAIT_FIELDS,
      region: wine.region,
      country: wine.country,
      grape: wine.grape,
      notes: wine.notes,
      picture: wine_picture.version,
      state: wine.state,
    })
    .from(wine)
    .leftJoin(wine_picture, eq(wine_picture.wine_id, wine.id))
    .where(inArray(wine.state, ['open', 'coming']))
    .orderBy(sql`${wine.state} <> 'open'`, asc(wine.position), asc(wine.id));
  return rows.map((row) => listedWine.parse(row));
}
