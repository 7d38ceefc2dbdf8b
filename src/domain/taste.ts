import type { WineColor, WineTrait } from './wine/wine.ts';
import { WINE_COLORS, WINE_TRAITS } from './wine/wine.ts';

/**
 * Predicts what a member will like, from the survey, their verdicts on glasses, and their own corrections.
 * docs/rules/wines.md, "Taste that learns"; docs/decisions/taste-and-risk.md explains why it is no larger.
 */

export const VERDICTS = ['loved', 'fine', 'not_mine'] as const;
export type Verdict = (typeof VERDICTS)[number];
export const VERDICT_LABELS: Record<Verdict, string> = {
  loved: 'Loved it',
  fine: 'Fine',
  not_mine: 'Not mine',
};
export const MAX_COMMENT_LENGTH = 200;

export type WineProfile = { color: WineColor } & Record<WineTrait, number>;

/** A glass with the member's verdict. */
export interface Tasted {
  wine: WineProfile & { title: string };
  verdict: Verdict;
  /** The time of the pour. */
  at: Date;
}

/** The two survey ratings about wines, and the willingness to try new ones; 1 to 10. */
export interface SurveyTaste {
  red_wine_preference: number;
  white_wine_preference: number;
  adventurousness: number;
}

/** Kinds of wine that a member can correct. */
export const KINDS = [...WINE_COLORS, 'sweet', 'full', 'light', 'tannic', 'crisp'] as const;
export type Kind = (typeof KINDS)[number];
export const STANCES = ['like', 'avoid'] as const;
type Stance = (typeof STANCES)[number];
export type OwnWords = Partial<Record<Kind, Stance>>;

export interface Taste {
  /** Null for a member who was never asked. */
  survey: SurveyTaste | null;
  tasted: readonly Tasted[];
  words: OwnWords;
}

type Reason =
  | { because: 'your_word'; kind: Kind; stance: Stance }
  | { because: 'loved' | 'not_mine'; wine: string }
  | { because: 'survey'; color: WineColor }
  | { because: 'new' };

export interface Match<Wine> {
  wine: Wine;
  /** From -1 (a poor match) to 1 (a good match). */
  score: number;
  reason: Reason | null;
}

const VALUES: Record<Verdict, number> = { loved: 1, fine: 0, not_mine: -1 };

/**
 * The number of glasses the survey is worth. It was answered before tasting and only about colors: two glasses of exactly
 * that kind count as much, three count more.
 */
export const PRIOR_STRENGTH = 2;

/** A verdict half a year old counts half: tastes change with the seasons and with experience. */
const HALF_LIFE_DAYS = 180;

/** The distance per step of a trait. Sweetness counts most: a sweet wine is never mistaken for a dry one. */
const TRAIT_WEIGHTS: Record<WineTrait, number> = { sweetness: 6, body: 4, tannin: 4, acidity: 3 };
const STEPS = 4;

/** How much a verdict on one color says about another; 1 for the same color. */
const KINSHIP: readonly (readonly [WineColor, WineColor, number])[] = [
  ['red', 'rose', 0.4],
  ['white', 'rose', 0.5],
  ['white', 'sparkling', 0.6],
  ['white', 'orange', 0.5],
  ['rose', 'sparkling', 0.5],
  ['red', 'fortified', 0.3],
];
const STRANGERS = 0.15;

function kinship(a: WineColor, b: WineColor): number {
  if (a === b) return 1;
  return KINSHIP.find(([one, two]) => (one === a && two === b) || (one === b && two === a))?.[2] ?? STRANGERS;
}

/** How much a verdict on one wine says about another: 1 for the same profile, close to 0 for a very different one. */
export function likeness(a: WineProfile, b: WineProfile): number {
  const distance = WINE_TRAITS.reduce(
    (sum, trait) => sum + TRAIT_WEIGHTS[trait] * ((a[trait] - b[trait]) / STEPS) ** 2,
    0,
  );
  return kinship(a.color, b.color) * Math.exp(-distance);
}

const DAY_MS = 86_400_000;

/** A verdict's remaining weight, from 1 for today to 0; a verdict dated in the future counts 1. */
export function freshness(at: Date, now: Date): number {
  return 0.5 ** (Math.max(0, now.getTime() - at.getTime()) / DAY_MS / HALF_LIFE_DAYS);
}

const centered = (slider: number) => (slider - 5.5) / 4.5;

/** A score from -1 to 1. Colors that the survey does not ask about lie between, or need a willingness to try. */
export function surveyScore(survey: SurveyTaste | null, color: WineColor): number {
  if (!survey) return 0;
  const [red, white] = [centered(survey.red_wine_preference), centered(survey.white_wine_preference)];
  const courage = centered(survey.adventurousness) / 2;
  switch (color) {
    case 'red':
      return red;
    case 'white':
      return white;
    case 'rose':
      return (red + white) / 2;
    case 'sparkling':
      return white / 2;
    case 'orange':
      return (white + courage) / 2;
    case 'fortified':
      return (red + courage) / 2;
  }
}

export function isOfKind(wine: WineProfile, kind: Kind): boolean {
  switch (kind) {
    case 'sweet':
      return wine.sweetness >= 4;
    case 'full':
      return wine.body >= 4;
    case 'light':
      return wine.body <= 2;
    case 'tannic':
      return wine.tannin >= 4;
    case 'crisp':
      return wine.acidity >= 4;
    default:
      return wine.color === kind;
  }
}

/** The member's own correction for a wine; avoiding wins. */
function wordOn(words: OwnWords, wine: WineProfile): { kind: Kind; stance: Stance } | null {
  const statements = KINDS.flatMap((kind) => {
    const stance = words[kind];
    return stance && isOfKind(wine, kind) ? [{ kind, stance }] : [];
  });
  return statements.find(({ stance }) => stance === 'avoid') ?? statements[0] ?? null;
}

const NOTABLE = 0.25;
/** A verdict with less weight for a wine is not given as a reason. */
const TELLING = 0.3;
const BRAVE = 7;

/** The score of one wine from -1 to 1, and the reason. */
export function matchOf<Wine extends WineProfile>(wine: Wine, taste: Taste, now: Date): Match<Wine> {
  const prior = surveyScore(taste.survey, wine.color);
  const evidence = taste.tasted.map((glass) => ({
    glass,
    weight: likeness(glass.wine, wine) * freshness(glass.at, now),
  }));
  const weight = evidence.reduce((sum, it) => sum + it.weight, PRIOR_STRENGTH);
  const total = evidence.reduce(
    (sum, it) => sum + it.weight * VALUES[it.glass.verdict],
    PRIOR_STRENGTH * prior,
  );
  const score = total / weight;
  const word = wordOn(taste.words, wine);
  if (word) return { wine, score, reason: { because: 'your_word', ...word } };
  const strongest = (verdict: Verdict) =>
    evidence
      .filter((it) => it.glass.verdict === verdict && it.weight >= TELLING)
      .toSorted((a, b) => b.weight - a.weight)[0];
  const [match, not] = [strongest('loved'), strongest('not_mine')];
  const reason = (): Reason | null => {
    if (score > 0 && match) return { because: 'loved', wine: match.glass.wine.title };
    if (score < 0 && not) return { because: 'not_mine', wine: not.glass.wine.title };
    // The survey alone says nothing about the other colors.
    const isAsked = wine.color === 'red' || wine.color === 'white';
    if (isAsked && score >= NOTABLE && prior >= NOTABLE) return { because: 'survey', color: wine.color };
    const isUnknown = weight - PRIOR_STRENGTH < TELLING;
    if (score >= 0 && isUnknown && (taste.survey?.adventurousness ?? 0) >= BRAVE) return { because: 'new' };
    return null;
  };
  return { wine, score, reason: reason() };
}

const STANCE_RANK: Record<Stance, number> = { like: 1, avoid: -1 };
const rankOf = ({ reason }: Match<unknown>) =>
  reason?.because === 'your_word' ? STANCE_RANK[reason.stance] : 0;

/** Wines that the member likes first, avoided ones last, by score within each; equal scores keep their order. */
export function rankWines<Wine extends WineProfile>(
  wines: readonly Wine[],
  taste: Taste,
  now: Date,
): Match<Wine>[] {
  return wines
    .map((wine) => matchOf(wine, taste, now))
    .toSorted((a, b) => rankOf(b) - rankOf(a) || b.score - a.score);
}

/** The wines that staff are advised to pour: good matches that have a reason, at most two; nothing the member avoids. */
export function suggestions<Wine extends WineProfile>(matches: readonly Match<Wine>[]): Match<Wine>[] {
  return matches
    .filter(({ score, reason }) => {
      if (!reason || reason.because === 'not_mine') return false;
      return reason.because === 'your_word' ? reason.stance === 'like' : score >= 0;
    })
    .slice(0, 2);
}
