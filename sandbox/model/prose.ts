/** A rating found in a prompt: `red_wine_preference: 8` gives { name: 'red wine', value: 8 }. */
export interface Rating {
  name: string;
  value: number;
}

/** Finds ratings (1 to 10) in any text: `key: 8`, `"key": 8`, `key = 8/10`. The last rating for a name counts. */
export function findRatings(prompt: string): Rating[] {
  const ratings = new Map<string, number>();
  for (const match of prompt.matchAll(
    /["']?([A-Za-z][A-Za-z_ -]{2,40}?)["']?\s*[:=]\s*(10|[1-9])(?![\d.])/g,
  )) {
    const name = String(match[1])
      .toLowerCase()
      .replace(/[_-]+/g, ' ')
      .replace(/\b(preferences?|ratings?|levels?|scores?|likes?|interest|the|for)\b/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (name) ratings.set(name, Number(match[2]));
  }
  return [...ratings].map(([name, value]) => ({ name, value }));
}

const FAMILIES: { test: RegExp; loves: string[]; shuns: string }[] = [
  {
    test: /red|tannin|cabernet|syrah|pinot noir|bold|full/,
    loves: [
      'reds with a backbone, say a northern Rhône Syrah',
      'structured reds such as Barolo or a mature Bordeaux',
    ],
    shuns: 'heavy, tannic reds',
  },
  {
    test: /sparkl|champagne|bubbl/,
    loves: [
      'fine bubbles, a grower Champagne before anything else',
      'bottle-fermented sparkling wine, bone dry',
    ],
    shuns: 'bubbles',
  },
  {
    test: /ros[eé]/,
    loves: ['pale, savoury rosé from Bandol', 'rosé with enough grip for the table'],
    shuns: 'rosé',
  },
  {
    test: /dessert|sweet/,
    loves: [
      'a small glass of something sweet, a Sauternes or a late-picked Riesling',
      'sweetness balanced by acidity',
    ],
    shuns: 'sweetness',
  },
  {
    test: /white|riesling|chardonnay|sauvignon|acid|crisp|mineral/,
    loves: ['whites with nerve, such as Chablis or dry Riesling', 'mineral whites from cool climates'],
    shuns: 'lean, sharp whites',
  },
  {
    test: /oak|wood/,
    loves: ['the warmth of well-judged oak', 'a touch of new barrel'],
    shuns: 'obvious oak',
  },
  {
    test: /fruit/,
    loves: ['ripe, generous fruit', 'fruit that comes first and stays'],
    shuns: 'jammy fruit',
  },
  {
    test: /adventur|explor|curio|new|natural|orange/,
    loves: ['detours: skin contact, Jura, island wines', 'a freshly opened bottle with no famous name'],
    shuns: 'experiments for their own sake',
  },
  {
    test: /knowledge|experience|expert/,
    loves: [
      'a conversation about vintage and slope over a glass',
      'detail on the label and the hill behind it',
    ],
    shuns: 'lectures over a glass',
  },
];

function familyOf(rating: Rating) {
  return FAMILIES.find((family) => family.test.test(rating.name));
}

/** Writes a short paragraph about a palate; the same ratings always give the same text. */
export function portrait(ratings: Rating[]): string {
  const seed = ratings.reduce((sum, rating, at) => sum + rating.value * (at + 3), 0);
  const order = ratings.filter(familyOf).toSorted((a, b) => b.value - a.value);
  const favorites = unique(
    order.filter((rating) => rating.value >= 6).map((rating) => love(rating, seed)),
  ).slice(0, 3);
  const dislikes = unique(
    order
      .filter((rating) => rating.value <= 3)
      .reverse()
      .map((rating) => familyOf(rating)?.shuns ?? rating.name),
  ).slice(0, 2);
  if (order.length === 0)
    return 'An open palate, still to be explored. Start with a dry white, move on to a light red, and let the glass finished first guide the second visit.';
  const opening =
    favorites.length > 0
      ? `This member loves ${joined(favorites)}.`
      : 'A moderate palate without strong loyalties, happiest with balanced, medium-bodied wines.';
  const middle =
    dislikes.length > 0
      ? ` Go gently with ${joined(dislikes)}.`
      : ' Little is off limits, so the whole list is open.';
  const endings = [
    ' Pour something familiar first and keep a surprise for the second glass.',
    ' A flight of three, from quiet to bold, would make a fine evening.',
    ' Offer the newest bottle on the shelf and ask for an opinion.',
  ];
  return opening + middle + (endings[seed % endings.length] ?? '');
}

function love(rating: Rating, seed: number): string {
  const words = familyOf(rating)?.loves ?? [];
  return words[(seed + rating.value) % words.length] ?? rating.name;
}

function unique(words: string[]): string[] {
  return [...new Set(words)];
}

function joined(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
