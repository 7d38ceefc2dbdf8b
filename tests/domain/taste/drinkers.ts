import { type Chance, chanceFrom } from '../../../scripts/demo/chance.ts';
import {
  rankWines,
  type SurveyTaste,
  surveyScore,
  type Tasted,
  type Verdict,
  type WineProfile,
} from '../../../src/domain/taste.ts';
import { WINE_TRAITS } from '../../../src/domain/wine/wine.ts';

interface CellarWine extends WineProfile {
  id: number;
}

/** A style: a color and an amount of each trait. A drinker's taste is known, because it is invented. */
type Style = WineProfile;

const STYLES: Style[] = [
  { color: 'red', sweetness: 1, body: 5, tannin: 5, acidity: 3 },
  { color: 'red', sweetness: 1, body: 2, tannin: 2, acidity: 4 },
  { color: 'white', sweetness: 1, body: 2, tannin: 1, acidity: 5 },
  { color: 'white', sweetness: 1, body: 4, tannin: 1, acidity: 2 },
  { color: 'white', sweetness: 4, body: 2, tannin: 1, acidity: 4 },
  { color: 'rose', sweetness: 1, body: 2, tannin: 1, acidity: 3 },
  { color: 'sparkling', sweetness: 1, body: 2, tannin: 1, acidity: 5 },
  { color: 'orange', sweetness: 1, body: 3, tannin: 4, acidity: 3 },
];

const CELLAR = 80;
const GLASSES = 10;
const SHOWN = 5;
const NOW = new Date('2026-06-15T20:00:00Z');
const DAY_MS = 86_400_000;

const nearby = (value: number, chance: Chance) => Math.max(1, Math.min(5, value + chance.between(-1, 1)));

function cellarOf(chance: Chance): CellarWine[] {
  return Array.from({ length: CELLAR }, (_, id) => {
    const style = STYLES[id % STYLES.length] as Style;
    const traits = Object.fromEntries(WINE_TRAITS.map((trait) => [trait, nearby(style[trait], chance)]));
    return { id, color: style.color, ...traits } as CellarWine;
  });
}

/**
 * How much a drinker really likes a wine, at most 1: by distance, in steps, not by the model's own curve, so that the model
 * is not tested against itself.
 */
function pleasure(style: Style, wine: WineProfile): number {
  const steps = WINE_TRAITS.reduce((sum, trait) => sum + Math.abs(style[trait] - wine[trait]), 0);
  return 1 - steps / 6 - (style.color === wine.color ? 0 : 0.7);
}

const LOVED_FROM = 0.3;
const BORED_BELOW = -0.4;
/** One glass in eight is judged at random, by mood. */
const MOOD = 0.125;

function verdictOf(style: Style, wine: WineProfile, chance: Chance): Verdict {
  if (chance.is(MOOD)) return (['loved', 'fine', 'not_mine'] as const)[chance.between(0, 2)] ?? 'fine';
  const liked = pleasure(style, wine);
  if (liked >= LOVED_FROM) return 'loved';
  return liked < BORED_BELOW ? 'not_mine' : 'fine';
}

/** The drinker's slider answers, off by up to two: they are about colors only. */
function surveyOf({ color }: Style, chance: Chance): SurveyTaste {
  const slider = (value: number) => Math.max(1, Math.min(10, value + chance.between(-2, 2)));
  const likes = {
    red: [8, 4],
    white: [4, 8],
    rose: [5, 7],
    sparkling: [4, 7],
    orange: [5, 7],
    fortified: [7, 4],
  };
  const [red = 5, white = 5] = likes[color];
  return {
    red_wine_preference: slider(red),
    white_wine_preference: slider(white),
    adventurousness: slider(color === 'orange' ? 8 : 5),
  };
}

/** The share of the first five in a ranking that the drinker would love. */
const hits = (ranked: readonly WineProfile[], style: Style) =>
  ranked.slice(0, SHOWN).filter((wine) => pleasure(style, wine) >= LOVED_FROM).length / SHOWN;

export interface Outcome {
  drinkers: number;
  /** The share of the first five unknown wines that the drinker would love. */
  learned: number;
  survey: number;
  popularity: number;
}

/**
 * Invented drinkers taste ten wines of a cellar each; then the untasted wines are ranked for them by the model, by the
 * survey alone, and by popularity among all drinkers. The same seed gives the same result.
 */
export function askDrinkers(seed: number, drinkers: number): Outcome {
  const chance = chanceFrom(seed);
  const cellar = cellarOf(chance);
  const people = Array.from({ length: drinkers }, (_, at) => {
    const style = STYLES[at % STYLES.length] as Style;
    const order = cellar.map((wine) => ({ wine, key: chance.next() })).sort((a, b) => a.key - b.key);
    const tasted: (Tasted & { id: number })[] = order.slice(0, GLASSES).map(({ wine }, glass) => ({
      id: wine.id,
      wine: { ...wine, title: String(wine.id) },
      verdict: verdictOf(style, wine, chance),
      at: new Date(NOW.getTime() - (GLASSES - glass) * 7 * DAY_MS),
    }));
    return { style, survey: surveyOf(style, chance), tasted };
  });
  const loves = new Map<number, number>();
  for (const { id, verdict } of people.flatMap(({ tasted }) => tasted)) {
    if (verdict === 'loved') loves.set(id, (loves.get(id) ?? 0) + 1);
  }
  const sum = { learned: 0, survey: 0, popularity: 0 };
  for (const { style, survey, tasted } of people) {
    const unknown = cellar.filter(({ id }) => !tasted.some((it) => it.id === id));
    const by = (score: (wine: CellarWine) => number) => unknown.toSorted((a, b) => score(b) - score(a));
    const learned = rankWines(unknown, { survey, tasted, words: {} }, NOW).map(({ wine }) => wine);
    sum.learned += hits(learned, style);
    sum.survey += hits(
      by(({ color }) => surveyScore(survey, color)),
      style,
    );
    sum.popularity += hits(
      by(({ id }) => loves.get(id) ?? 0),
      style,
    );
  }
  const share = (total: number) => total / drinkers;
  return {
    drinkers,
    learned: share(sum.learned),
    survey: share(sum.survey),
    popularity: share(sum.popularity),
  };
}
