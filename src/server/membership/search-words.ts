import { type SQL, sql } from 'drizzle-orm';

/** More words rarely narrow a search, and each one is checked against every candidate. */
const MAX_WORDS = 8;

/** A part of a phone number as people write it: '(555)', '010-0100', '+44'. */
const PHONE_PART = /^[+\d()./-]*\d[+\d()./-]*$/;

/** The words that staff typed; each must be found in first name, last name, email or phone, which is kept as digits. */
export function searchWords(text: string): string[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
  return words.map((word) => (PHONE_PART.test(word) ? word.replace(/\D/g, '') : word));
}

/** `search_text` has every word, anywhere in it. Case and accents do not matter; wildcards are literal. */
export function hasWords(words: string[]): SQL {
  return sql.join(
    words.map((word) => sql`search_text like like_pattern(${word}::text)`),
    sql` and `,
  );
}

/** A trigram index needs three letters or digits in a row; for anything else there are short n-grams. */
function hasTrigram(word: string): boolean {
  return /[a-z0-9]{3}/i.test(word.normalize('NFD').replace(/[\u0300-\u036f]/g, ''));
}

/** Extra conditions that let an index of `profile_search` find the words that trigrams cannot. */
export function lookups(words: string[]): SQL[] {
  return words
    .filter((word) => !hasTrigram(word))
    .map((word) => sql`short_ngrams(search_text) @> word_ngrams(${word}::text)`);
}

const users = (conditions: SQL[]) =>
  sql`(select user_id from profile_search where ${sql.join(conditions, sql` and `)})`;

/** The ids of all users, members or not, whose name, email and phone have every word; a subquery. */
export const usersWith = (words: string[]): SQL => users([hasWords(words)]);

/** The same, by an index whatever the words; dearer where many users match. */
export const usersByIndex = (words: string[]): SQL => users([hasWords(words), ...lookups(words)]);
