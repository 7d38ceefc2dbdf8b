import { CARD_TOKEN_LENGTH, cleanCode, decodeCard, decodePaperCard } from '../../../domain/card.ts';
import { isUuid } from '../../../domain/uuid.ts';

const PAPER_LENGTH = 43;
const GUEST_CODE = /guest-[A-Za-z0-9_-]{43}$/;
const UUID_LENGTH = 36;
/** Ids are UUIDs of version 7. */
const VERSION_7 = /^.{14}7/;

const cardId = (text: string) => decodeCard(text)?.claims.customer_id ?? '';
const paperId = (text: string) => decodePaperCard(text)?.id ?? '';

/** The code at the end of what a scanner typed, which may begin with the scanner's prefix; null if there is none. */
export function codeIn(typed: string): string | null {
  const guest = GUEST_CODE.exec(typed);
  if (guest) return guest[0];
  const [card, paper, id] = [CARD_TOKEN_LENGTH, PAPER_LENGTH, UUID_LENGTH].map((length) =>
    typed.length < length ? '' : typed.slice(-length),
  ) as [string, string, string];
  if (isUuid(id)) return id.toLowerCase();
  // A card after a prefix of three characters is as long as a paper code: the id inside tells them apart.
  if (VERSION_7.test(paperId(paper))) return paper;
  if (VERSION_7.test(cardId(card))) return card;
  if (!isCodeLike(typed, LEAST_CHANGES)) return null;
  if (typed.length === PAPER_LENGTH && paperId(paper)) return paper;
  return typed.length === CARD_TOKEN_LENGTH && cardId(card) ? card : null;
}

/** The code in a text that came in one go; null if there is more in it than a code and a scanner's prefix. */
export function codeInOneGo(text: string): string | null {
  const trimmed = text.trim();
  return /\s/.test(trimmed) ? null : codeIn(cleanCode(trimmed));
}

const CLASSES = [/[a-z]/, /[A-Z]/, /[0-9]/];
const classOf = (character: string) => CLASSES.findIndex((each) => each.test(character));
const CODE_CHANGES = 0.4;
/** Enough for a text that also has the length of a code. */
const LEAST_CHANGES = 0.2;

/** Capitals, small letters and digits alternate as in no word: the share of characters that differ in kind from the last. */
export function isCodeLike(text: string, share = CODE_CHANGES): boolean {
  const changes = [...text].filter(
    (it, index) => index > 0 && classOf(it) !== classOf(text[index - 1] ?? ''),
  );
  return changes.length >= share * (text.length - 1);
}

const SHIFTED_DIGITS = ')!@#$%^&*(';

/**
 * The character that a scanner meant: the key's place on a US keyboard, with Shift. What the computer makes of it depends on
 * its own layout and on Caps Lock. Null for a key that is no character of a code.
 */
export function meantCharacter(code: string, shift: boolean): string | null {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shift ? letter : letter.toLowerCase();
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1];
  if (digit) return shift && code.startsWith('Digit') ? (SHIFTED_DIGITS[Number(digit)] ?? null) : digit;
  if (code === 'Minus') return shift ? '_' : '-';
  return code === 'NumpadSubtract' ? '-' : null;
}
