import { setTimeout as pause } from 'node:timers/promises';
import type { Tx } from '../db/client.ts';
import { and, asc, eq, inArray, or } from '../db/orm.ts';
import { member_import } from '../db/schema.ts';
import { isBarQuiet } from '../pours/visits.ts';
import { adoptStep } from './adoption/adopt-step.ts';
import { checkAdoptions } from './adoption/check-adoptions.ts';
import { readStep } from './adoption/read-step.ts';
import { undoStep } from './adoption/undo-adoptions.ts';
import { checkBatch } from './check-batch.ts';
import { emailBatch } from './email-batch.ts';
import { importBatch } from './import-batch.ts';
import type { ImportRecord, ImportWorker } from './import-context.ts';
import { deleteOldImports } from './member-imports.ts';
import { undoBatch } from './undo-batch.ts';

const RUN_EVERY_MS = 2_000;
const RUN_MS = 1_500;
/**
 * Rows per batch, and the pause after it as a multiple of its duration: while pours are recorded, and while the bar is
 * quiet. A pour on the embedded database waits for one batch at most.
 */
const PACE = { busy: { batch: 10, rest: 2 }, quiet: { batch: 40, rest: 0.1 } };
const LONGEST_REST_MS = 500;
/** How long runs follow each other without waiting, while there is more to import. */
const LONGEST_RUNS_MS = 20_000;
const DELETE_EVERY_MS = 3_600_000;

type Step = (ctx: ImportWorker, tx: Tx, record: ImportRecord, batch: number) => Promise<void>;

const FILE_STEPS = { checking: checkBatch, importing: importBatch, undoing: undoBatch } as const;
const STRIPE_STEPS = { reading: readStep, importing: adoptStep, undoing: undoStep } as const;

/**
 * Runs the next batch of the current import in one transaction, so that a crash leaves it done or undone. Locking the
 * import's row restricts it to one server at a time. False if there is nothing to do.
 */
export async function importStep(ctx: ImportWorker, batch: number = PACE.busy.batch): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const [record] = await tx
      .select()
      .from(member_import)
      .where(
        or(
          eq(member_import.status, 'checking'),
          and(eq(member_import.source, 'file'), inArray(member_import.status, ['importing', 'undoing'])),
        ),
      )
      .orderBy(asc(member_import.created_at))
      .limit(1)
      .for('update', { skipLocked: true });
    if (!record) return false;
    const step: Step =
      record.source === 'stripe' ? checkAdoptions : FILE_STEPS[record.status as keyof typeof FILE_STEPS];
    await step(ctx, tx, record, batch);
    return true;
  });
}

/**
 * Runs the next step that calls Stripe, outside of any transaction: results are only written if no other server was faster.
 * False if there is nothing to do. Throws Stripe's errors; the next run retries.
 */
export async function adoptionStep(ctx: ImportWorker): Promise<boolean> {
  const [record] = await ctx.db
    .select()
    .from(member_import)
    .where(
      and(
        eq(member_import.source, 'stripe'),
        inArray(member_import.status, ['reading', 'importing', 'undoing']),
      ),
    )
    .orderBy(asc(member_import.created_at))
    .limit(1);
  if (!record) return false;
  await STRIPE_STEPS[record.status as keyof typeof STRIPE_STEPS](ctx, record);
  return true;
}

/**
 * Continues imports for a moment, and sends a few of their emails. True if there is more to import. Throws Stripe's errors,
 * after the emails.
 */
async function runImports(ctx: ImportWorker): Promise<boolean> {
  try {
    return await goOn(ctx);
  } finally {
    await emailBatch(ctx);
  }
}

async function goOn(ctx: ImportWorker): Promise<boolean> {
  const startedAt = performance.now();
  let pace: (typeof PACE)[keyof typeof PACE] | null = null;
  while (performance.now() - startedAt < RUN_MS) {
    const from = performance.now();
    if (!(await importStep(ctx, pace?.batch)) && !(await adoptionStep(ctx))) return false;
    pace ??= (await isBarQuiet(ctx)) ? PACE.quiet : PACE.busy;
    await pause(Math.min(LONGEST_REST_MS, pace.rest * (performance.now() - from)));
  }
  return true;
}

/** The scheduler's tasks for imports. A run still in progress is joined, not doubled. */
export function importTasks(ctx: ImportWorker) {
  let run: Promise<void> | null = null;
  return [
    {
      name: 'imports',
      everyMs: RUN_EVERY_MS,
      run() {
        run ??= runAll(ctx).finally(() => {
          run = null;
        });
        return run;
      },
    },
    { name: 'deleting old imports', everyMs: DELETE_EVERY_MS, run: () => deleteOldImports(ctx) },
  ];
}

async function runAll(ctx: ImportWorker): Promise<void> {
  const startedAt = performance.now();
  while ((await runImports(ctx)) && performance.now() - startedAt < LONGEST_RUNS_MS);
}
