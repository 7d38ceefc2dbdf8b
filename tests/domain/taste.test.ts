import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  freshness,
  isOfKind,
  KINDS,
  likeness,
  matchOf,
  PRIOR_STRENGTH,
  rankWines,
  suggestions,
  surveyScore,
  type Taste,
  type Tasted,
  VERDICTS,
  type Verdict,
  type WineProfile,
} from '../../src/domain/taste.ts';
import { WINE_COLORS } from '../../src/domain/wine/wine.ts';
import { askDrinkers } from './taste/drinkers.ts';

// docs/rules/wines.md, "Taste that learns".

const NOW = new Date('2026-06-15T20:00:00Z');
const ago = (days: number) => new Date(NOW.getTime() - days * 86_400_000);
const barolo: WineProfile = { color: 'red', sweetness: 1, body: 5, tannin: 5, acidity: 4 };
const gamay: WineProfile = { color: 'red', sweetness: 1, body: 2, tannin: 1, acidity: 4 };
const riesling: WineProfile = { color: 'white', sweetness: 3, body: 1, tannin: 1, acidity: 5 };
const sancerre: WineProfile = { color: 'white', sweetness: 1, body: 2, tannin: 1, acidity: 5 };
const glass = (wine: WineProfile, verdict: Verdict, title = 'The Barolo', days = 1): Tasted => ({
  wine: { ...wine, title },
  verdict,
  at: ago(days),
});
const redLover = { red_wine_preference: 10, white_wine_preference: 2, adventurousness: 3 };
const taste = (more: Partial<Taste> = {}): Taste => ({ survey: null, tasted: [], words: {}, ...more });

const profiles = fc.record({
  color: fc.constantFrom(...WINE_COLORS),
  sweetness: fc.integer({ min: 1, max: 5 }),
  body: fc.integer({ min: 1, max: 5 }),
  tannin: fc.integer({ min: 1, max: 5 }),
  acidity: fc.integer({ min: 1, max: 5 }),
});

test('similarity is 1 for the same profile, symmetric, and always from 0 to 1', () => {
  fc.assert(
    fc.property(profiles, profiles, (a, b) => {
      expect(likeness(a, a)).toBe(1);
      expect(likeness(a, b)).toBe(likeness(b, a));
      expect(likeness(a, b)).toBeGreaterThan(0);
      expect(likeness(a, b)).toBeLessThanOrEqual(1);
    }),
  );
});

test('a score stays between -1 and 1, and another loved glass never lowers it for such a wine', () => {
  const slider = fc.integer({ min: 1, max: 10 });
  const survey = fc.option(
    fc.record({ red_wine_preference: slider, white_wine_preference: slider, adventurousness: slider }),
  );
  const tasted = fc.array(
    fc.record({
      wine: profiles,
      verdict: fc.constantFrom(...VERDICTS),
      days: fc.integer({ min: 0, max: 900 }),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(profiles, survey, tasted, (wine, answers, list) => {
      const had = taste({
        survey: answers,
        tasted: list.map((it) => glass(it.wine, it.verdict, 'x', it.days)),
      });
      const { score } = matchOf(wine, had, NOW);
      expect(Math.abs(score)).toBeLessThanOrEqual(1);
      const more = { ...had, tasted: [...had.tasted, glass(wine, 'loved')] };
      expect(matchOf(wine, more, NOW).score).toBeGreaterThanOrEqual(score);
    }),
  );
});

describe('the survey', () => {
  it('is all that counts before the first glass', () => {
    expect(surveyScore(redLover, 'red')).toBe(1);
    expect(matchOf(barolo, taste({ survey: redLover }), NOW)).toMatchObject({
      score: 1,
      reason: { because: 'survey', color: 'red' },
    });
    expect(matchOf(barolo, taste(), NOW)).toMatchObject({ score: 0, reason: null });
  });

  it(`is worth ${PRIOR_STRENGTH} glasses: as many contrary ones of the same kind cancel it, and one more reverses it`, () => {
    const disliked = (count: number) =>
      matchOf(
        barolo,
        taste({
          survey: redLover,
          tasted: Array.from({ length: count }, () => glass(barolo, 'not_mine', 'x', 0)),
        }),
        NOW,
      ).score;
    expect(disliked(PRIOR_STRENGTH)).toBeCloseTo(0);
    expect(disliked(PRIOR_STRENGTH + 1)).toBeLessThan(0);
  });
});

it('a verdict counts half after 180 days', () => {
  expect(freshness(NOW, NOW)).toBe(1);
  expect(freshness(ago(180), NOW)).toBeCloseTo(0.5, 6);
  expect(freshness(ago(-3), NOW)).toBe(1);
});

it('the reason names the glass that was rated', () => {
  const tasted = [glass(barolo, 'loved'), glass(riesling, 'not_mine', 'The Riesling')];
  expect(matchOf(barolo, taste({ tasted }), NOW).reason).toEqual({ because: 'loved', wine: 'The Barolo' });
  expect(matchOf(riesling, taste({ tasted }), NOW).reason).toEqual({
    because: 'not_mine',
    wine: 'The Riesling',
  });
});

it('something unknown is a reason for those who like to try', () => {
  const brave = { red_wine_preference: 5, white_wine_preference: 7, adventurousness: 9 };
  const orange: WineProfile = { color: 'orange', sweetness: 1, body: 3, tannin: 4, acidity: 3 };
  const first = matchOf(orange, taste({ survey: { ...brave, white_wine_preference: 6 } }), NOW);
  expect(first.reason).toEqual({ because: 'new' });
});

describe('the member’s own correction', () => {
  it('overrides everything that was learned', () => {
    const tasted = Array.from({ length: 9 }, () => glass(barolo, 'loved'));
    const ranked = (words: Taste['words']) =>
      rankWines([riesling, barolo, sancerre, gamay], taste({ survey: redLover, tasted, words }), NOW).map(
        ({ wine }) => wine,
      );
    expect(ranked({})[0]).toBe(barolo);
    expect(ranked({ tannic: 'avoid' }).at(-1)).toBe(barolo);
    expect(ranked({ white: 'like' }).slice(0, 2)).toEqual(expect.arrayContaining([riesling, sancerre]));
  });

  it('to avoid is stronger than to like', () => {
    const both = matchOf(barolo, taste({ words: { red: 'like', tannic: 'avoid' } }), NOW);
    expect(both.reason).toEqual({ because: 'your_word', kind: 'tannic', stance: 'avoid' });
  });

  it('every kind fits some wine and not another', () => {
    const sweet: WineProfile = { color: 'fortified', sweetness: 5, body: 4, tannin: 2, acidity: 2 };
    const others: WineProfile[] = WINE_COLORS.map((color) => ({ ...gamay, color }));
    const all = [barolo, gamay, riesling, sancerre, sweet, ...others];
    for (const kind of KINDS) {
      expect(
        all.some((wine) => isOfKind(wine, kind)),
        kind,
      ).toBe(true);
      expect(
        all.some((wine) => !isOfKind(wine, kind)),
        kind,
      ).toBe(true);
    }
  });
});

it('staff get at most two suggestions, none that the member avoids and none without a reason', () => {
  const suggested = (words: Taste['words'], tasted: Tasted[] = [glass(barolo, 'loved')]) =>
    suggestions(rankWines([barolo, gamay, riesling, sancerre], taste({ tasted, words }), NOW)).map(
      ({ wine }) => wine,
    );
  expect(suggested({})).toEqual([barolo]);
  expect(suggested({ red: 'avoid' })).toEqual([]);
  expect(suggested({ crisp: 'like' })).toHaveLength(2);
  expect(suggested({}, [])).toEqual([]);
});

it('wines that fit the same stay in the order of the venue', () => {
  const wines = [sancerre, barolo, riesling];
  expect(rankWines(wines, taste(), NOW).map(({ wine }) => wine)).toEqual(wines);
});

it('after ten glasses it predicts what drinkers love better than the survey or the crowd', () => {
  for (const seed of [1, 2]) {
    const { learned, survey, popularity } = askDrinkers(seed, 80);
    expect(learned).toBeGreaterThan(survey + 0.2);
    expect(learned).toBeGreaterThan(popularity + 0.2);
  }
});
