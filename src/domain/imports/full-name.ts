/** The order in which a column of full names has them, where no comma says so. */
export const NAME_ORDERS = ['first_last', 'last_first'] as const;
export type NameOrder = (typeof NAME_ORDERS)[number];

interface PersonName {
  first_name: string;
  last_name: string;
}

const TITLE =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|rev|fr|sir|dame|sra?|srta|herr|frau|mme|mlle|mag|ing|dipl\.-ing)\.?$/i;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|md|phd|dds|dmd|dvm|esq|cpa|mba|msc|llm|pharmd|mw)$/;
/** Other degrees, after a whole name that is not in capitals itself. */
const DEGREE = /^(?:\p{Lu}\.?){2,5}$/u;
const JOINER = /^(?:&|\+|and|und|et)$/i;
const INITIAL = /^\p{Lu}\.?$/u;
const PARTICLE =
  /^(?:de|del|della|di|da|dos|das|la|las|los|le|van|von|der|den|ten|ter|zu|zur|al|el|bin|ibn)$/;

const isTitle = (word: string) => TITLE.test(word);
const isSuffix = (word: string) => SUFFIX.test(word.replaceAll(/[.\s]/g, '').toLowerCase());
const isJoiner = (word: string) => JOINER.test(word);

/**
 * Splits a full name: 'Lovelace, Ada' at its comma, otherwise in an order, or before the last word. Titles stay with the first
 * name, 'Jr.' and degrees with the last. An unknown part is empty.
 */
export function splitFullName(name: string, order: NameOrder | 'last_word'): PersonName {
  const [head = '', ...parts] = name.split(',').map((it) => it.trim());
  const [word = '', nextWord] = head.split(' ');
  const isWhole = nextWord !== undefined && !PARTICLE.test(word) && head !== head.toUpperCase();
  const isDegree = (word: string) => isSuffix(word) || (isWhole && DEGREE.test(word));
  const degrees = parts.filter(isDegree);
  const names = parts.filter((it) => it !== '' && !isDegree(it));
  const suffix = degrees.map((it) => `, ${it}`).join('');
  const words = (names.length === 0 ? head : (names[0] ?? '')).split(' ');
  const titles = words.findIndex((it) => !isTitle(it) && !isJoiner(it));
  const isOnlyTitles = titles < 0;
  if (names.length > 1 || isOnlyTitles) return { first_name: '', last_name: head };
  if (names.length === 1) return { first_name: words.join(' '), last_name: `${head}${suffix}` };
  const rest = words.slice(titles);
  const end = rest.findLastIndex((it) => !isSuffix(it)) + 1;
  const split = SPLITS[order](rest.slice(0, end));
  if (split === null || split <= 0 || split >= end) return { first_name: '', last_name: rest.join(' ') };
  const front = rest.slice(0, split).join(' ');
  const ending = rest.slice(split, end).join(' ');
  const [first, last] = order === 'last_first' ? [ending, front] : [front, ending];
  const generation = rest.slice(end).map((it) => ` ${it}`);
  return {
    first_name: [...words.slice(0, titles), first].join(' '),
    last_name: `${last}${generation.join('')}${suffix}`,
  };
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether a name contains words, in any case. */
export const hasPart = (name: string, words: string): boolean =>
  ` ${name.replaceAll(',', ' ')} `.toLowerCase().includes(` ${words.toLowerCase()} `);

/** A name without the words at its beginning or end; undefined if they are at neither. */
export function withoutPart(name: string, words: string): string | undefined {
  const { length } = words;
  if (isSame(name.slice(0, length + 1), `${words} `)) return name.slice(length + 1).trim();
  if (isSame(name.slice(-length - 1), ` ${words}`)) return name.slice(0, -length - 1).replace(/,$/, '');
  return undefined;
}

/** How many words are first names: one, its initials, and that of a partner; null for two whole names. */
function firstNames(words: string[]): number | null {
  const joiner = words.findLastIndex(isJoiner);
  if (joiner > 1 && !words.slice(0, joiner).every((it, place) => place % 2 === 0 || isJoiner(it)))
    return null;
  let count = joiner + 2;
  if (joiner < 0) {
    count = 1;
    const isInitial = (place: number) => INITIAL.test(words[place] ?? '');
    const beginsWithInitial = isInitial(0);
    while (count < words.length - 1 && isInitial(count)) count += 1;
    if (beginsWithInitial && count < words.length - 1) count += 1;
  }
  return count;
}

/** How many words are the last name: one, with the small words before it. */
const lastNames = (words: string[]): number => words.findIndex((it) => !PARTICLE.test(it)) + 1;

/** How many words come before the last, and the small words before it. */
function beforeLastWord(words: string[]): number {
  return words.findLastIndex((it, place) => place < words.length - 1 && !PARTICLE.test(it)) + 1;
}

const SPLITS = { first_last: firstNames, last_first: lastNames, last_word: beforeLastWord };
