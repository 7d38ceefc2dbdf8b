import type { StaffWine } from '../../contract/wine/wines.ts';
import { durationText } from '../../domain/age.ts';
import { TRAIT_WORDS, WINE_TRAITS } from '../../domain/wine/wine.ts';

/** 'Cascina Prova, Langhe, Italy, Nebbiolo'; missing parts are left out. */
export function wineOrigin(wine: Pick<StaffWine, 'producer' | 'region' | 'country' | 'grape'>): string {
  return [wine.producer, wine.region, wine.country, wine.grape].filter(Boolean).join(', ');
}

/** 'Dry, full body, grippy tannin, crisp acidity': the four traits in words; tannin only if there is any. */
export function wineCharacter(wine: Pick<StaffWine, 'sweetness' | 'body' | 'tannin' | 'acidity'>): string {
  const words = WINE_TRAITS.flatMap((trait) =>
    trait === 'tannin' && wine.tannin === 1 ? [] : [traitPhrase(trait, wine[trait])],
  ).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const NOUNS = { sweetness: '', body: ' body', tannin: ' tannin', acidity: ' acidity' };

/** One trait in words. 'Medium' alone would not say that it is about sweetness. */
const traitPhrase = (trait: keyof typeof NOUNS, value: number) =>
  trait === 'sweetness' && TRAIT_WORDS.sweetness[value - 1] === 'Medium'
    ? 'medium sweet'
    : `${(TRAIT_WORDS[trait][value - 1] ?? '').toLowerCase()}${NOUNS[trait]}`;

/** A bottle open for longer than this is marked as likely waste. */
const OLD_MS = 3 * 24 * 60 * 60_000;

/** `warns` if wine may be wasted, or more was poured than the bottle holds. */
export function bottleText(
  { left, glasses, opened_at }: NonNullable<StaffWine['bottle']>,
  now: Date,
): { text: string; warns: boolean } {
  const age = now.getTime() - Date.parse(opened_at);
  const rest =
    left < 0
      ? `${-left} more poured than it holds`
      : left === 0
        ? 'Should be empty'
        : `${left} of ${glasses} left`;
  return { text: `${rest}, open for ${durationText(age)}`, warns: left <= 0 || age > OLD_MS };
}
