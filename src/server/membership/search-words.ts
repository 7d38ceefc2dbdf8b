import { type SQL, sql } from '../db/orm.ts';

/** More words rarely narrow a search, and each one is checked against every candidate. */
const MAX_WORDS = 8;

/** Marks that a paste brings along. Joiners belong to the spelling of some names. */
const INVISIBLE = /(?![\u200C\u200D])\p{Cf}/gu;
const PHONE_PART = /^(?=\D*\d)[+\d()./-]+$/;

/** The words that staff typed; each must be found in first name, last name, email or phone, which is stored as digits. */
export function searchWords(text: string): string[] {
  const words = text.replaceAll(INVISIBLE, '').split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS);
  return words.map((word) => (PHONE_PART.test(word) ? word.replace(/\D/g, '') : word));
}

/** Matches if `search_text` contains every word, anywhere. Case and accents do not matter; wildcards are literal. */
export function hasWords(words: string[]): SQL {
  return sql.join(
    words.map((word) => sql`search_text like like_pattern(${word}::text)`),
    sql` and `,
  );
}

/** A trigram index needs three letters or digits in a row; shorter words are found by short n-grams. */
function hasTrigram(word: string): boolean {
  return /[a-z0-9]{3}/i.test(word.normalize('NFD').replace(/[\u0300-\u036f]/g, ''));
}

const MAILBOX = /^.+@(?=.)/;

/**
 * Like `hasWords`, by an index of `profile_search` whatever the words. For an email, the part before the @ is looked up,
 * since the part after it is shared by so many that its trigrams alone would take longer to read than everything else.
 */
export function hasWordsByIndex(words: string[]): SQL {
  const conditions = words.map((word) => {
    const [mailbox] = MAILBOX.exec(word) ?? [];
    if (mailbox && hasTrigram(mailbox)) {
      return sql`search_text like like_pattern(${mailbox}::text) and strpos(search_text, fold_text(${word}::text)) > 0`;
    }
    const lookup = sql` and short_ngrams(search_text) @> word_ngrams(${word}::text)`;
    return sql`search_text like like_pattern(${word}::text)${hasTrigram(word) ? sql`` : lookup}`;
  });
  return sql.join(conditions, sql` and `);
}

const users = (condition: SQL) => sql`(select user_id from profile_search where ${condition})`;

/** The ids of all users, members or not, whose name, email and phone have every word; a subquery. */
export const usersWith = (words: string[]): SQL => users(hasWords(words));

/** Users with the words, by an index; slower if many users match. */
export const usersByIndex = (words: string[]): SQL => users(hasWordsByIndex(words));
