import { Refusal } from '../../../contract/refusals.ts';
import type { WordedEmail } from '../../../contract/staff/emails.ts';
import {
  EMAIL_KIND_NAMES,
  type EmailKind,
  type EmailWording,
  NO_WORDING,
  variablesOf,
  WORDING_FIELDS,
  wordingProblems,
} from '../../../domain/club/emails.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { email_wording } from '../../db/schema.ts';
import { composeEmail, type Email, type Venue } from '../../mail/email.ts';
import type { EmailMessage } from '../../mail/email-text.ts';
import type { ClubContext } from './club-settings.ts';
import { readStoredWordings, type StoredWording } from './stored-wordings.ts';

// Rules: docs/rules/emails.md, "Wording of emails".

interface SampleContext {
  /** Every email as a made-up member would get it. */
  emailSamples: Record<EmailKind, { sample: EmailMessage }>;
  venue: Venue;
}
export interface EmailContext extends ClubContext, SampleContext {}
type Draft = EmailWording & { kind: EmailKind };

/** The email as a made-up member would get it from this venue. Its links lead to pages that say the link has expired. */
export function sampleEmail({ emailSamples, venue }: SampleContext, kind: EmailKind): Email {
  const isNameless = !variablesOf(kind).includes('first_name');
  return composeEmail(venue, emailSamples[kind].sample, isNameless ? null : 'Ada');
}

function sampleWith(ctx: SampleContext, kind: EmailKind, wording: EmailWording | null): Email {
  return sampleEmail({ ...ctx, venue: { ...ctx.venue, wordingOf: () => wording } }, kind);
}

function view(
  ctx: SampleContext,
  kind: EmailKind,
  row: StoredWording = { wording: NO_WORDING, version: 0, problem: null },
): WordedEmail {
  const { subject } = sampleWith(ctx, kind, null);
  // The club's name is at the end of every subject.
  const default_subject = subject.slice(0, -` · ${ctx.venue.club_name}`.length);
  return { kind, letter: kind, default_subject, ...row };
}

export async function listEmails(ctx: SampleContext & Pick<EmailContext, 'db'>): Promise<WordedEmail[]> {
  const wordings = await readStoredWordings(ctx.db);
  return EMAIL_KIND_NAMES.map((kind) => view(ctx, kind, wordings.get(kind)));
}

/** Changes the venue's words for one email. Throws what changeWording throws. */
export async function updateEmail(
  ctx: EmailContext,
  { kind, ...change }: { kind: EmailKind; version: number; wording: EmailWording },
): Promise<WordedEmail> {
  await changeWording(ctx, { kind, ...change });
  return view(ctx, kind, (await readStoredWordings(ctx.db)).get(kind));
}

function previewOf(ctx: SampleContext, { kind, ...wording }: Draft): Email {
  assertWording(kind, wording);
  return sampleWith(ctx, kind, wording);
}

/** The email with these words, as a made-up member would get it. Throws Refusal SETTING_REFUSED. */
export async function previewEmail(
  ctx: SampleContext,
  draft: Draft,
): Promise<{ subject: string; text: string }> {
  const { subject, text } = previewOf(ctx, draft);
  return { subject, text };
}

/** The preview as HTML, under a policy of its own (http/security-headers.ts). Throws Refusal SETTING_REFUSED. */
export async function previewEmailPage(
  ctx: SampleContext,
  draft: Draft,
): Promise<{ headers: { 'content-type': string }; body: ReadableStream<Uint8Array> }> {
  const { body } = new Response(previewOf(ctx, draft).html);
  if (!body) throw new Error('the preview is empty');
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

interface WordingChange {
  kind: EmailKind;
  /** The version the form was loaded with. */
  version: number;
  wording: EmailWording;
}

/** Throws Refusal SETTING_REFUSED with the problem. */
function assertWording(kind: EmailKind, wording: EmailWording): void {
  const problem = wordingProblems(kind, wording);
  if (problem) throw new Refusal('SETTING_REFUSED', { why: problem.text });
}

/**
 * Stores the venue's words for one email, with an entry of the audit for each field that differs; empty words reset it.
 * They count in this process at once, and in others when they are notified of the commit. Throws Refusal SETTING_REFUSED,
 * and SETTINGS_CHANGED where someone was faster.
 */
async function changeWording(ctx: ClubContext, change: WordingChange): Promise<void> {
  assertWording(change.kind, change.wording);
  await ctx.db.transaction((tx) => storeWording(tx, ctx, change));
  await ctx.club.refresh();
}

async function storeWording(tx: Tx, ctx: ClubContext, { kind, version, wording }: WordingChange) {
  const isThis = eq(email_wording.kind, kind);
  const changed_at = ctx.now();
  await tx
    .insert(email_wording)
    .values({ kind, wording: NO_WORDING, version: 0, changed_at })
    .onConflictDoNothing();
  // A second change waits here, and then finds another version.
  await tx.select().from(email_wording).where(isThis).for('update');
  const before = (await readStoredWordings(tx)).get(kind);
  if (before?.version !== version) throw new Refusal('SETTINGS_CHANGED');
  const fields = WORDING_FIELDS.filter((field) => before.wording[field] !== wording[field]);
  if (fields.length === 0 && before.problem === null) return;
  await tx
    .update(email_wording)
    .set({ wording, version: version + 1, changed_at })
    .where(isThis);
  for (const field of fields) {
    const facts = { email: kind, field, before: before.wording[field], after: wording[field] };
    await recordAudit(tx, ctx, { act: 'email_worded', subject_id: null, facts });
  }
}
