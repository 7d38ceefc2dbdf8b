import type { WordedLetter } from '../../../contract/staff/letters/letters.ts';
import { LETTER_KEYS, type LetterKey, type LetterWording, NO_WORDING } from '../../../domain/club/letters.ts';
import type { Email, Venue } from '../../mail/email.ts';
import type { ClubContext } from '../../membership/club/club-settings.ts';
import { assertWording, changeWording } from '../../membership/club/letter-settings.ts';
import { readStoredWordings, type StoredWording } from '../../membership/club/stored-wordings.ts';
import { sampleLetter } from './letter-samples.ts';

// Rules: docs/rules/emails.md, "Wording of emails".

interface LetterContext extends ClubContext {
  venue: Venue;
}
type Draft = LetterWording & { letter: LetterKey };

/** The venue as it would write with these words; null for the product's own. */
function venueWith({ venue }: Pick<LetterContext, 'venue'>, wording: LetterWording | null): Venue {
  return { ...venue, wordingOf: () => wording };
}

function view(
  ctx: Pick<LetterContext, 'venue'>,
  letter: LetterKey,
  stored: StoredWording = { wording: NO_WORDING, version: 0, problem: null },
): WordedLetter {
  const { subject } = sampleLetter(letter, venueWith(ctx, null));
  // The club's name is at the end of every subject.
  const default_subject = subject.slice(0, -` · ${ctx.venue.club_name}`.length);
  return { letter, default_subject, ...stored };
}

/** Every letter with the venue's words, as they are stored now. */
export async function listLetters(ctx: Pick<LetterContext, 'db' | 'venue'>): Promise<WordedLetter[]> {
  const stored = await readStoredWordings(ctx.db);
  return LETTER_KEYS.map((letter) => view(ctx, letter, stored.get(letter)));
}

/** Changes the venue's words for one letter. Throws what changeWording throws. */
export async function updateLetter(
  ctx: LetterContext,
  change: { letter: LetterKey; version: number; wording: LetterWording },
): Promise<WordedLetter> {
  await changeWording(ctx, change);
  return view(ctx, change.letter, (await readStoredWordings(ctx.db)).get(change.letter));
}

function previewOf(ctx: Pick<LetterContext, 'venue'>, { letter, ...wording }: Draft): Email {
  assertWording(letter, wording);
  return sampleLetter(letter, venueWith(ctx, wording));
}

/** The letter with these words, as a made-up member would get it. Throws Refusal SETTING_REFUSED. */
export async function previewLetter(
  ctx: Pick<LetterContext, 'venue'>,
  draft: Draft,
): Promise<{ subject: string; text: string }> {
  const { subject, text } = previewOf(ctx, draft);
  return { subject, text };
}

/** The same in HTML, under a policy of its own (http/security-headers.ts). Throws Refusal SETTING_REFUSED. */
export async function previewLetterPage(
  ctx: Pick<LetterContext, 'venue'>,
  draft: Draft,
): Promise<{ headers: { 'content-type': string }; body: ReadableStream<Uint8Array> }> {
  const { body } = new Response(previewOf(ctx, draft).html);
  if (!body) throw new Error('the preview is empty');
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
