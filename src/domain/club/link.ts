// Mail programs find links in plain text by rules of their own, and with their own lists of top-level domains: in any
// script and case, after any sign, and without a scheme. So what could be a link to one of them counts as one.

/** A sign that a browser reads as letters: ⓒ, ㏄, Ⅵ. */
const SIGN = String.raw`(?=[\p{So}\p{Sc}\p{Nl}])\p{CWKCF}`;
const LETTER = String.raw`(?:\p{L}|${SIGN})`;
/** One character that a browser reads as two letters. */
const LIGATURE = String.raw`[\u0132\u0133\u01C7-\u01CC\u01F1-\u01F3\uFB00-\uFB06]`;
/** Two letters, with accents, vowel signs and invisible characters between them. One letter is an initial. */
const LETTERS = String.raw`\p{DI}*(?:${LETTER}[\p{M}\p{DI}]*${LETTER}|${SIGN}|${LIGATURE})`;
/** With any dot that a browser reads as one. */
const DOMAIN = String.raw`(?:[^\s\p{P}]|[-_}\uFEFF])[.\u2024\uFE52\uFF0E]${LETTERS}`;
/** The full stop of Chinese and Japanese is a dot too, but between their characters it ends a sentence. */
const IDEOGRAPHIC = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]`;
const WIDE_DOMAIN = String.raw`(?!${IDEOGRAPHIC})[^\s\p{P}][\u3002\uFF61](?!${IDEOGRAPHIC})${LETTERS}`;
const WIDE_PATH = String.raw`[\u3002\uFF61][\p{L}\p{M}]{2,}(?::\d|/)`;
const SCHEME = String.raw`://|\b(?:mailto|tel|sms|callto|sip|skype|facetime|file|news|data|javascript|webcal):\S`;
const IP_ADDRESS = String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])`;

/** The source of a pattern with the flags `iu`. Its time grows with the length of the text, not with its square. */
export const LINK = [
  ...[SCHEME, DOMAIN, WIDE_DOMAIN, WIDE_PATH, IP_ADDRESS],
  // A host, an address of email, a shared folder of Windows.
  ...[String.raw`\bwww\.`, String.raw`[^\s\p{P}][@\uFF20][^\s\p{P}]`, String.raw`\\\\[^\s\\]`],
].join('|');

const HOLDS_LINK = new RegExp(LINK, 'iu');

/** Whether a mail program could turn a part of the text into a link. */
export const holdsLink = (text: string): boolean => HOLDS_LINK.test(text);

/** Matches text that holds no link, nor anything of `more`, the source of a pattern. */
export const textWithoutLink = (pattern?: string): RegExp =>
  new RegExp(`^(?!.*(?:${pattern ? `${pattern}|` : ''}${LINK}))`, 'isu');

/** Seven digits are a phone number, which mail programs turn into a call. */
export const NAME_WITHOUT_PHONE = /^(?!(?:\P{Nd}*\p{Nd}){7})/u;
export const PHONE_IN_NAME = 'A name can’t contain a phone number.';
