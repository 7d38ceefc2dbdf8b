export type PasswordFlaw = 'common' | 'personal';

export interface PasswordHints {
  /** Lower-case passwords that many people use, from leaks. */
  common: ReadonlySet<string>;
  /** The user's own names, email and phone, as typed. */
  own: readonly string[];
  club: string;
}

/** The first words to try at a wine club: docs/rules/accounts.md, "Passwords". */
const VENUE_WORDS = [
  ...['cellar', 'door', 'cellardoor', 'club', 'member', 'membership', 'staff', 'admin', 'bar', 'demo'],
  ...['select', 'premier', 'elite', 'household', 'reserve', 'connoisseur'],
  ...['wine', 'wines', 'winery', 'vino', 'vine', 'vineyard', 'vintage', 'grape', 'grapes', 'barrel'],
  ...['bottle', 'glass', 'glasses', 'cork', 'pour', 'pours', 'tasting', 'sommelier', 'cheers', 'welcome'],
  ...['red', 'white', 'rose', 'merlot', 'cabernet', 'sauvignon', 'pinot', 'noir', 'grigio', 'malbec'],
  ...[
    'syrah',
    'shiraz',
    'chardonnay',
    'riesling',
    'zinfandel',
    'prosecco',
    'champagne',
    'bordeaux',
    'chianti',
  ],
];

/** Other letters that a password needs besides guessable words. */
const MIN_OTHER_LETTERS = 4;
/** Digits and signs around a common password that make it no better. */
const MAX_DECORATION = 4;
/** A password with fewer different characters is among the first tries, however long. */
const MIN_DIFFERENT = 4;
/** Shorter parts of a name occur in any text. */
const MIN_WORD = 3;

const LOOKALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const lettersAndDigits = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const withoutLookalikes = (text: string) => text.replace(/[013457@$!]/g, (sign) => LOOKALIKES[sign] ?? sign);

/**
 * Why a password is easy to guess; null if it is not: docs/rules/accounts.md, "Passwords". Only an attacker's first tries
 * are refused.
 */
export function passwordFlaw(password: string, { common, own, club }: PasswordHints): PasswordFlaw | null {
  const text = password.normalize('NFKC').toLowerCase();
  if (common.has(text) || common.has(withoutDecoration(text))) return 'common';
  if (new Set(text).size < MIN_DIFFERENT) return 'common';
  const words = [...VENUE_WORDS, ...wordsOf(club), ...own.flatMap(wordsOf)]
    .filter((word) => word.length >= MIN_WORD)
    .sort((a, b) => b.length - a.length);
  const isGuessable = [plain(password), withoutLookalikes(plain(password))].some((text) =>
    isMadeOf(words, lettersAndDigits(text)),
  );
  return isGuessable ? 'personal' : null;
}

function withoutDecoration(text: string): string {
  const base = text.replace(/^\P{L}+|(?<=\p{L})\P{L}+$/gu, '');
  return text.length - base.length <= MAX_DECORATION ? base : text;
}

/** A text, and its parts: an email's name and host, a double name's halves. */
function wordsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].map((part) => lettersAndDigits(plain(part)));
}

function isMadeOf(words: string[], text: string): boolean {
  // A gap replaces each word, or its neighbors could join into another word.
  const rest = words.reduce((remaining, word) => remaining.replaceAll(word, ' '), text);
  return rest !== text && rest.replace(/[^\p{L}]/gu, '').length < MIN_OTHER_LETTERS;
}
