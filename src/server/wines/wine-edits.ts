import { Refusal } from '../../contract/refusals.ts';
import type { StaffWine, WineDraft } from '../../contract/wine/wines.ts';
import { MAX_WINES, wineKey, wineTitle } from '../../domain/wine/wine.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../db/client.ts';
import { eq, sql } from '../db/orm.ts';
import { wine } from '../db/schema.ts';
import type { WinesContext } from './wine-list.ts';
import { listWines, readWine, WINE_FIELDS } from './wine-list.ts';

// Rules: docs/rules/wines.md, "Wines".

const columnsOf = (draft: WineDraft) => ({
  name: draft.name,
  producer: draft.producer ?? '',
  region: draft.region ?? '',
  country: draft.country ?? '',
  grape: draft.grape ?? '',
  vintage: draft.vintage ?? null,
  color: draft.color,
  sweetness: draft.sweetness,
  body: draft.body,
  tannin: draft.tannin,
  acidity: draft.acidity,
  notes: draft.notes ?? '',
  glasses_per_bottle: draft.glasses_per_bottle,
  cost_cents: draft.cost_cents ?? null,
});

/** Locks the list, so that no two wines are equal or have the same position. */
async function holdList(tx: Tx): Promise<{ id: string; key: string; position: number }[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('wines of the venue'))`);
  const rows = await tx.select({ ...WINE_FIELDS, position: wine.position }).from(wine);
  return rows.map((row) => ({ id: row.id, key: wineKey(row), position: row.position }));
}

/** Adds a wine at the end of the list. Throws Refusal WINE_LISTED, TOO_MANY_WINES. */
export async function createWine(ctx: WinesContext, draft: WineDraft): Promise<StaffWine> {
  const { db, now, newId } = ctx;
  const id = newId();
  return db.transaction(async (tx) => {
    const wines = await holdList(tx);
    const columns = columnsOf(draft);
    if (wines.some(({ key }) => key === wineKey(columns))) throw new Refusal('WINE_LISTED');
    if (wines.length >= MAX_WINES) throw new Refusal('TOO_MANY_WINES');
    const position = Math.max(0, ...wines.map((it) => it.position)) + 1;
    const at = now();
    await tx
      .insert(wine)
      .values({ id, ...columns, state: 'coming', position, created_at: at, updated_at: at });
    const facts = { wine_id: id, wine: wineTitle(columns) };
    await recordAudit(tx, ctx, { act: 'wine_added', subject_id: null, facts });
    return readWine(ctx, tx, id);
  });
}

/** Replaces a wine's details. Throws Refusal NOT_FOUND, WINE_LISTED. */
export async function updateWine(
  ctx: WinesContext,
  { id, ...draft }: WineDraft & { id: string },
): Promise<StaffWine> {
  const { db, now } = ctx;
  return db.transaction(async (tx) => {
    const wines = await holdList(tx);
    const [before] = await tx.select().from(wine).where(eq(wine.id, id));
    if (!before) throw new Refusal('NOT_FOUND', { what: 'wine' });
    const after = columnsOf(draft);
    if (wines.some((it) => it.id !== id && it.key === wineKey(after))) throw new Refusal('WINE_LISTED');
    const names = Object.keys(after) as (keyof typeof after)[];
    const changes = names.filter((name) => before[name] !== after[name]);
    if (changes.length > 0) {
      await tx
        .update(wine)
        .set({ ...after, updated_at: now() })
        .where(eq(wine.id, id));
      const facts = { wine_id: id, wine: wineTitle(after), fields: changes.join(' ') };
      await recordAudit(tx, ctx, { act: 'wine_changed', subject_id: null, facts });
    }
    return readWine(ctx, tx, id);
  });
}

/** Puts the wines with these ids into this order, within the positions they already have. */
export async function orderWines(ctx: WinesContext, { ids }: { ids: string[] }): Promise<StaffWine[]> {
  await ctx.db.transaction(async (tx) => {
    const wines = await holdList(tx);
    const places = new Map(wines.map(({ id, position }) => [id, position]));
    const order = [...new Set(ids)].filter((id) => places.has(id));
    const positions = order.map((id) => places.get(id) ?? 0).sort((a, b) => a - b);
    const moves = order.flatMap((id, at) =>
      places.get(id) === positions[at] ? [] : [{ id, position: positions[at] }],
    );
    if (moves.length === 0) return;
    await tx.execute(
      sql`update wine w set position = m.position, updated_at = ${ctx.now().toISOString()}::timestamptz
            from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) m (id uuid, position integer) where w.id = m.id`,
    );
    const facts = { wines: moves.length };
    await recordAudit(tx, ctx, { act: 'wines_ordered', subject_id: null, facts });
  });
  return listWines(ctx);
}
