import { Refusal } from '../../../contract/refusals.ts';
import {
  type EmailKind,
  type EmailWording,
  NO_WORDING,
  WORDING_FIELDS,
  wordingProblems,
} from '../../../domain/club/emails.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { email_wording } from '../../db/schema.ts';
import type { ClubContext } from './club-settings.ts';
import { readStoredWordings } from './stored-wordings.ts';

interface WordingChange {
  letter: EmailKind;
  /** The version the form was loaded with. */
  version: number;
  wording: EmailWording;
}

/** Throws Refusal SETTING_REFUSED with the problem. */
export function assertWording(letter: EmailKind, wording: EmailWording): void {
  const problem = wordingProblems(letter, wording);
  if (problem) throw new Refusal('SETTING_REFUSED', { why: problem.text });
}

/**
 * Stores the venue's words for one email, with an entry of the audit for each field that differs; empty words reset it.
 * They count in this process at once, and in the others when they hear of the commit. Throws Refusal SETTING_REFUSED, and
 * SETTINGS_CHANGED where someone was faster.
 */
export async function changeWording(ctx: ClubContext, change: WordingChange): Promise<void> {
  assertWording(change.letter, change.wording);
  await ctx.db.transaction((tx) => storeWording(tx, ctx, change));
  await ctx.club.refresh();
}

async function storeWording(tx: Tx, ctx: ClubContext, { letter, version, wording }: WordingChange) {
  const isThis = eq(email_wording.kind, letter);
  const changed_at = ctx.now();
  await tx
    .insert(email_wording)
    .values({ kind: letter, wording: NO_WORDING, version: 0, changed_at })
    .onConflictDoNothing();
  // A second change waits here, and then finds another version.
  await tx.select().from(email_wording).where(isThis).for('update');
  const before = (await readStoredWordings(tx)).get(letter);
  if (before?.version !== version) throw new Refusal('SETTINGS_CHANGED');
  const fields = WORDING_FIELDS.filter((field) => before.wording[field] !== wording[field]);
  if (fields.length === 0 && before.problem === null) return;
  await tx
    .update(email_wording)
    .set({ wording, version: version + 1, changed_at })
    .where(isThis);
  for (const field of fields) {
    const facts = { letter, field, before: before.wording[field], after: wording[field] };
    await recordAudit(tx, ctx, { act: 'email_worded', subject_id: null, facts });
  }
}
