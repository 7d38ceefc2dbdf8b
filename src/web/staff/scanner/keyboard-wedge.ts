import { useEffect, useEffectEvent } from 'react';
import { KEY_PAUSE_MS, KeyBurst } from './key-burst.ts';
import { codeInOneGo } from './scanned-code.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

const TEXTLESS = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];

const PASTES = ['insertFromPaste', 'insertFromDrop'];

function fieldOf(target: EventTarget | null): Field | null {
  if (target instanceof HTMLTextAreaElement) return target;
  return target instanceof HTMLInputElement && !TEXTLESS.includes(target.type) ? target : null;
}

/** What was inserted to make one text of the other. */
function insertedText(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.slice(start, after.length - end);
}

/** Scanners type a line feed or carriage return as Control with J or M, which by itself opens a page of the browser. */
const isTypedLineEnd = ({ ctrlKey, altKey, metaKey, shiftKey, code }: KeyboardEvent): boolean =>
  ctrlKey && !altKey && !metaKey && !shiftKey && ['KeyJ', 'KeyM'].includes(code);

/** Sets a field as typing would, so that React hears of it. */
function setValue(field: Field, value: string): void {
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  // Other listeners of the window that capture still learn that someone is there.
  event.stopPropagation();
}

/**
 * Keeps the keys of a scanner from the page. Keys that may be a scanner's are held back, and pressed again if a person turns
 * out to have typed them. In a field they appear at once, and are taken out if a scanner turns out to have typed them.
 */
class Keyboard {
  private readonly burst = new KeyBurst();
  private readonly repeated = new WeakSet<KeyboardEvent>();
  private readonly onCodes: (codes: string[]) => void;
  private held: KeyboardEvent[] = [];
  /** The field in which the burst began, with its text before the burst. */
  private begun: { field: Field; text: string } | null = null;
  /** What a person would find in the field, if the burst turns out to be theirs. */
  private taken: string | null = null;
  /** A field that is about to change, with its text before that. */
  private before: { field: Field; text: string } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;

  constructor(onCodes: (codes: string[]) => void) {
    this.onCodes = onCodes;
  }

  press(event: KeyboardEvent): void {
    if (this.repeated.has(event)) return;
    const endsLine = isTypedLineEnd(event);
    const isCommand = event.ctrlKey && event.key !== 'Control' && !endsLine;
    if (isCommand || event.altKey || event.metaKey || event.isComposing) {
      this.burst.forget();
      this.giveBack();
      return;
    }
    const { code, shiftKey: shift, timeStamp: at, repeat } = event;
    const key = endsLine ? 'Enter' : event.key;
    const field = fieldOf(event.target);
    const verdict = this.burst.press({ key, code, shift, at, repeat });
    if (verdict.kind === 'modifier') return;
    clearTimeout(this.timer);
    this.last = at;
    switch (verdict.kind) {
      case 'end':
        swallow(event);
        this.finish(verdict.codes);
        return;
      case 'other':
        this.giveBack();
        return;
      case 'first':
        this.giveBack();
        this.begun = field && { field, text: field.value };
        break;
      case 'scanner':
        this.takeOut();
        if (this.taken !== null && key.length === 1) this.taken += key;
        break;
    }
    if (verdict.kind === 'scanner' || !field) {
      swallow(event);
      if (key.length === 1 && this.taken === null) this.held.push(event);
    }
    this.timer = setTimeout(() => this.pause(), KEY_PAUSE_MS + 50);
  }

  /** Before a text is inserted or, with an input method, composed. */
  expect(event: InputEvent | CompositionEvent): void {
    const field = fieldOf(event.target);
    const isComposing = event instanceof InputEvent && event.isComposing;
    if (field && !isComposing) this.before = { field, text: field.value };
  }

  /**
   * Scanners built into a device insert the whole code at once, without keys. Pasted, a code is a scan only where one searches.
   * A field for codes takes them itself.
   */
  insert(event: InputEvent | CompositionEvent): void {
    const isInput = event instanceof InputEvent;
    const field = fieldOf(event.target);
    if (!field || (isInput && event.isComposing)) return;
    const before = this.before?.field === field ? this.before.text : null;
    this.before = null;
    if (field.type === 'password' || field.dataset.codes !== undefined) return;
    if (isInput && PASTES.includes(event.inputType) && field.type !== 'search') return;
    const inserted = event.data || (before === null ? '' : insertedText(before, field.value));
    const code = codeInOneGo(inserted);
    if (!code) return;
    event.stopPropagation();
    setValue(field, before ?? field.value.replace(inserted, ''));
    clearTimeout(this.timer);
    this.reset();
    this.burst.finish(event.timeStamp);
    this.onCodes([code]);
  }

  private pause(): void {
    const verdict = this.burst.pause(this.last + KEY_PAUSE_MS);
    if (verdict.kind === 'end') this.finish(verdict.codes);
    else this.giveBack();
  }

  private finish(codes: string[]): void {
    this.takeOut();
    this.reset();
    this.onCodes(codes);
  }

  private takeOut(): void {
    if (!this.begun || this.taken !== null) return;
    const { field, text } = this.begun;
    this.taken = field.value;
    if (field.value !== text) setValue(field, text);
  }

  private giveBack(): void {
    const { held, begun, taken } = this;
    this.reset();
    if (begun && taken !== null) setValue(begun.field, taken);
    for (const event of held) {
      const again = new KeyboardEvent(event.type, event);
      this.repeated.add(again);
      (event.target ?? document.body).dispatchEvent(again);
    }
  }

  private reset(): void {
    [this.held, this.begun, this.taken] = [[], null, null];
  }

  /** A press elsewhere ends what a person typed, unless a scan is under way. */
  point(): void {
    if (this.burst.isScanner) return;
    this.burst.forget();
    this.giveBack();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.reset();
  }
}

/** Listens on the whole page, so that a scanner that types or inserts works regardless of the focus. Gives the likeliest code first. */
export function useKeyboardWedge(onCodes: (codes: string[]) => void): void {
  const handleCodes = useEffectEvent(onCodes);
  useEffect(() => {
    const keyboard = new Keyboard((codes) => handleCodes(codes));
    const listen = (event: KeyboardEvent) => keyboard.press(event);
    const point = () => keyboard.point();
    const expect = (event: InputEvent | CompositionEvent) => keyboard.expect(event);
    const insert = (event: Event) => {
      // A field that a script or a person's own browser fills sends a plain event.
      if (event instanceof InputEvent || event instanceof CompositionEvent) keyboard.insert(event);
    };
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    window.addEventListener('keydown', listen, options);
    window.addEventListener('pointerdown', point, options);
    window.addEventListener('beforeinput', expect, options);
    window.addEventListener('compositionstart', expect, options);
    window.addEventListener('input', insert, options);
    window.addEventListener('compositionend', insert, options);
    return () => {
      controller.abort();
      keyboard.stop();
    };
  }, []);
}
