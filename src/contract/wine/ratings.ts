import { z } from 'zod';
import { KINDS, MAX_COMMENT_LENGTH, STANCES, VERDICTS } from '../../domain/taste.ts';
import { WINE_COLORS } from '../../domain/wine/wine.ts';
import { GET, id, POST, PUT, timestamp } from '../base.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { pouredWine } from './wines.ts';

const verdict = z.enum(VERDICTS);

export const rating = z.object({ verdict, comment: z.string().nullable() });
export type Rating = z.infer<typeof rating>;

/** Why a wine has its place in the list; the screen writes the sentence. */
const reason = z.discriminatedUnion('because', [
  z.object({ because: z.literal('your_word'), kind: z.enum(KINDS), stance: z.enum(STANCES) }),
  z.object({ because: z.enum(['loved', 'not_mine']), wine: z.string() }),
  z.object({ because: z.literal('survey'), color: z.enum(WINE_COLORS) }),
  z.object({ because: z.literal('new') }),
]);

const words = z.partialRecord(z.enum(KINDS), z.enum(STANCES));

const palate = z.object({
  /** The member's own correction, which overrides everything learned. */
  words,
  glasses: z.number().int(),
  /** The open wines, best fit first, with the reason. */
  matches: z.array(z.object({ wine_id: id, reason: reason.nullable() })),
});
export type Palate = z.infer<typeof palate>;

const memberPalate = z.object({
  ratings: z.array(z.object({ wine: pouredWine, ...rating.shape, answered_at: timestamp })),
  suggestions: z.array(z.object({ wine: pouredWine, reason })),
});
export type MemberPalate = z.infer<typeof memberPalate>;

export const ratings = {
  getQuestion: GET('/ratings/question', {
    summary: 'Get the question about the last glass',
    description:
      'For members: their last glass of the last hours, if it has a wine and they have not been asked about it; else null.',
  }).output(z.object({ pour_id: id, wine: pouredWine, poured_at: timestamp }).nullable()),
  save: PUT('/pours/{id}/rating', {
    summary: 'Rate a glass',
    description: 'For members. A later rating replaces it.',
  })
    .input(z.strictObject({ id, verdict, comment: text(MAX_COMMENT_LENGTH).trim().optional() }))
    .errors(refusals('NOT_FOUND'))
    .output(rating),
  dismiss: POST('/pours/{id}/rating/dismiss', {
    summary: 'Skip the question about a glass',
    description: 'For members: it is not asked again.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ dismissed: z.literal(true) })),
  getPalate: GET('/palate', {
    summary: "Get the signed-in member's learned taste",
    description:
      'For members: their own choices, how many verdicts count, and the open wines with the best fit first.',
  }).output(palate),
  saveWords: PUT('/palate/words', {
    summary: "Replace the signed-in member's own choices",
    description: 'For members: kinds of wine they like or dislike. These outweigh everything learned.',
  })
    .input(z.strictObject({ words }))
    .errors(refusals('NOT_FOUND'))
    .output(palate),
  reset: POST('/palate/reset', {
    summary: "Reset the signed-in member's ratings",
    description:
      'For members: verdicts so far no longer count, and their own choices are deleted. The history stays.',
  })
    .errors(refusals('NOT_FOUND'))
    .output(palate),
  getForMember: GET('/customers/{customer_id}/palate', {
    summary: 'Get what a member likes, and what to pour',
    description: 'For staff: the latest ratings, and suggestions among the open wines.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(memberPalate),
};
