import { codeIn, isCodeLike, meantCharacter } from './scanned-code.ts';

/** The longest pause between two keys of a scanner, in milliseconds. */
export const KEY_PAUSE_MS = 150;
/** The shortest text by which a burst is recognised before it ends; people type words of this length too. */
const RECOGNISED_LENGTH = 12;
/** No person types this many characters this fast, in milliseconds between two. */
const FAST_LENGTH = 16;
const FAST_PAUSE_MS = 35;
const CODE_CHARACTER = /^[A-Za-z0-9_-]$/;
/** Some codes are printed, and some scanners type, with quotes around them. */
const QUOTE = /^["'`]$/;
const MODIFIERS = ['Shift', 'CapsLock', 'Control'];
const ENDS = ['Enter', 'Tab'];

export interface KeyPress {
  key: string;
  code: string;
  shift: boolean;
  /** Milliseconds. */
  at: number;
  repeat?: boolean;
}

/**
 * `first`: may begin a burst. `more`: may continue one. `scanner`: certainly from a scanner. `other`: from a person; the burst
 * before it, if any, was too. `end`: ends a scan, whose codes are given.
 */
export type Verdict =
  | { kind: 'first' | 'more' | 'scanner' | 'other' | 'modifier' }
  | { kind: 'end'; codes: string[] };

/**
 * Distinguishes a scanner that types from a person. A scan is a burst without pauses that has the shape of a code. Until it
 * ends, capitals, small letters and digits that alternate as in no word give it away.
 */
export class KeyBurst {
  private meant = '';
  private typed = '';
  private slowest = 0;
  private last = Number.NEGATIVE_INFINITY;
  private scanner = false;
  private endedAt = Number.NEGATIVE_INFINITY;

  press({ key, code, shift, at, repeat }: KeyPress): Verdict {
    if (MODIFIERS.includes(key)) return { kind: 'modifier' };
    // Some scanners end with two keys.
    if (at - this.endedAt <= KEY_PAUSE_MS && ENDS.includes(key)) return { kind: 'scanner' };
    if (at - this.last > KEY_PAUSE_MS) this.forget();
    if (ENDS.includes(key)) return this.end(at, true);
    const place = meantCharacter(code, shift);
    if (this.scanner && !repeat && place === null && QUOTE.test(key)) {
      this.last = at;
      return { kind: 'scanner' };
    }
    const meant = place ?? (key.length === 1 ? key : '');
    if (repeat || !(CODE_CHARACTER.test(meant) || CODE_CHARACTER.test(key))) {
      this.forget();
      return { kind: 'other' };
    }
    const first = this.meant === '';
    if (!first) this.slowest = Math.max(this.slowest, at - this.last);
    this.last = at;
    this.meant += meant || key;
    this.typed += key.length === 1 ? key : ' ';
    this.scanner ||= this.meant.length >= RECOGNISED_LENGTH && isCodeLike(this.meant);
    if (this.scanner) return { kind: 'scanner' };
    return { kind: first ? 'first' : 'more' };
  }

  /**
   * No key has come for longer than `KEY_PAUSE_MS`: a scan without a key at its end is over. An unfinished one stays, because on
   * a busy device the next key may only be late to arrive: its own time decides.
   */
  pause(at: number): Verdict {
    const { meant, typed } = this;
    return (codeIn(meant) ?? codeIn(typed)) ? this.end(at, false) : { kind: 'other' };
  }

  private end(at: number, byKey: boolean): Verdict {
    const { meant, typed, slowest } = this;
    const codes = [codeIn(meant), codeIn(typed)].filter((code) => code !== null);
    const fast = byKey && meant.length >= FAST_LENGTH && slowest <= FAST_PAUSE_MS && isCodeLike(meant);
    if (codes.length === 0 && fast) codes.push(typed);
    this.forget();
    if (codes.length === 0) return { kind: 'other' };
    this.endedAt = at;
    return { kind: 'end', codes: [...new Set(codes)] };
  }

  /** A scan came another way: keys that a scanner presses after it are its own. */
  finish(at: number): void {
    this.forget();
    this.endedAt = at;
  }

  /** Whether the burst is certainly a scanner's. */
  get isScanner(): boolean {
    return this.scanner;
  }

  forget(): void {
    [this.meant, this.typed, this.slowest, this.scanner] = ['', '', 0, false];
  }
}
