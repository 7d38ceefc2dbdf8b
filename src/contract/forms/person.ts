import * as z from 'zod/mini';
import { LINK, NAME_WITHOUT_PHONE, PHONE_IN_NAME } from '../../domain/club/link.ts';
import { visibleText } from '../../domain/visible-text.ts';
import { requiredField, textField } from './text-field.ts';

const anyCase = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
/** The endings of addresses that most mail programs know, beside those of two letters. */
const ENDINGS =
  'com|net|org|info|biz|app|dev|xyz|top|shop|site|store|online|club|link|click|live|vip|win|wine|bar|pro|page|one';
/** Titles and first names that people shorten and write without a space after them. */
const SHORT =
  'St|Ste|Ma|Dr|Mr|Mrs|Ms|Mme|Mlle|Fr|Sr|Sra|Jr|Prof|Rev|Wm|Lt|Col|Capt|Sgt|Md|Mohd|Muhd|Mst|Abd|Sk|Ch|Hj|Fco';
/** A word such as 'J.Paul', 'J.-P.Roy', 'St.John' or 'MD.RAHIM': initials or a title, then a name that ends no address. */
const SHORTENED = `["'(]?(?:\\p{Lu}\\.-?|(?:${anyCase(SHORT)})\\.)+(?!(?:${anyCase(ENDINGS)})(?!\\p{L}))\\p{Lu}\\p{L}{2,}(?:['\u2019-]\\p{L}+)*[.,"')]*(?!\\S)`;
/** A slash stands only between letters, as in 'Bob/Carol', or between spaces. */
const SLASH = /(?<![\p{L}\p{M}\s])\/|\/(?![\p{L}\s])/u;
/** Between spaces, an @ stands between two names of one person, as in Malaysia and Singapore. */
const AT = String.raw`(?<!\s)@|@(?!\s)`;
/** Line breaks, and invisible or direction-changing characters. Joiners within a word belong to its spelling. */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}|(?<![\p{L}\p{M}])[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}])/u;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * Emails greet people by a name that a stranger may have typed. Case matters in shortened words, so no flag ignores it:
 * schemes are refused by their colon.
 */
const NO_LINK = new RegExp(
  `^(?!.*(?:[\\\\<>]|${AT}|:\\S|${SLASH.source}|(?<!\\S)(?!${SHORTENED})\\S*?(?:${LINK})))`,
  'su',
);
const PLAIN = new RegExp(`^(?!.*(?:${HIDDEN.source}))(?=.*${VISIBLE.source})`, 'su');
const NAME_WRONG = 'A name can’t contain links, line breaks or hidden characters.';

export const personName = requiredField(80, 'Required').check(
  z.regex(NAME_WITHOUT_PHONE, PHONE_IN_NAME),
  z.regex(NO_LINK, NAME_WRONG),
  z.regex(PLAIN, NAME_WRONG),
);
/** Numbers copied from lists of contacts carry invisible marks, which would break a call. */
export const phoneNumber = textField(40).check(z.overwrite(visibleText));
