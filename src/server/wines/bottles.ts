import { Refusal } from '../../contract/refusals.ts';
import type { StaffWine } from '../../contract/wine/wines.ts';
import { wineTitle } from '../../domain/wine/wine.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../db/client.ts';
import { and, eq, isNull } from '../db/orm.ts';
import { bottle, wine } from '../db/schema.ts';
import type { WinesContext } from './wine-list.ts';
import { readWine } from './wine-list.ts';

// Rules: docs/rules/wines.md, "Bottles".

/** Locks a wine, so that its bottles are opened and finished one at a time; pours continue. Throws Refusal NOT_FOUND. */
async function holdWine(tx: Tx, id: string) {
  const [row] = await tx.select().from(wine).where(eq(wine.id, id)).for('no key update');
  if (!row) throw new Refusal('NOT_FOUND', { what: 'wine' });
  const [openBottle] = await tx
    .select({ id: bottle.id })
    .from(bottle)
    .where(and(eq(bottle.wine_id, id), isNull(bottle.finished_at)));
  return { held: row, open: openBottle?.id ?? null };
}

async function finish(tx: Tx, ctx: WinesContext, wineId: string, bottleId: string): Promise<void> {
  const before = await readWine(ctx, tx, wineId);
  await tx.update(bottle).set({ finished_at: ctx.now() }).where(eq(bottle.id, bottleId));
  const facts = {
    wine_id: wineId,
    wine: wineTitle(before),
    bottle_id: bottleId,
    glasses_left: before.bottle?.left ?? 0,
  };
  await recordAudit(tx, ctx, { act: 'bottle_finished', subject_id: null, facts });
}

/**
 * Opens a bottle of a wine, and finishes `instead_of`, the open one that the caller saw. If another bottle, or none, is
 * open by now, someone was faster and nothing changes. Throws Refusal NOT_FOUND.
 */
export async function openBottle(
  ctx: WinesContext,
  { id, instead_of }: { id: string; instead_of: string | null },
): Promise<StaffWine> {
  return ctx.db.transaction(async (tx) => {
    const { held, open: openBottle } = await holdWine(tx, id);
    if (openBottle !== instead_of) return readWine(ctx, tx, id);
    if (openBottle) await finish(tx, ctx, id, openBottle);
    const bottle_id = ctx.newId();
    const opened_at = ctx.now();
    await tx
      .insert(bottle)
      .values({ id: bottle_id, wine_id: id, glasses: held.glasses_per_bottle, opened_at });
    await tx.update(wine).set({ state: 'open', updated_at: opened_at }).where(eq(wine.id, id));
    const facts = { wine_id: id, wine: wineTitle(held), bottle_id };
    await recordAudit(tx, ctx, { act: 'bottle_opened', subject_id: null, facts });
    return readWine(ctx, tx, id);
  });
}

/** Takes a wine off the bar: finishes its open bottle, and makes the wine gone or coming. Throws Refusal NOT_FOUND. */
export async function putWineAway(
  ctx: WinesContext,
  { id, state }: { id: string; state: 'gone' | 'coming' },
): Promise<StaffWine> {
  return ctx.db.transaction(async (tx) => {
    const { held, open: openBottle } = await holdWine(tx, id);
    if (openBottle) await finish(tx, ctx, id, openBottle);
    if (held.state !== state) {
      await tx.update(wine).set({ state, updated_at: ctx.now() }).where(eq(wine.id, id));
      const facts = { wine_id: id, wine: wineTitle(held), state };
      await recordAudit(tx, ctx, { act: 'wine_put_away', subject_id: null, facts });
    }
    return readWine(ctx, tx, id);
  });
}
