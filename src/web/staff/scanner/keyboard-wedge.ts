/** Longest pause between two keys of a scanner that types; people are far slower. */
const KEY_PAUSE_MS = 60;
/** Shorter bursts are somebody drumming on the keys, not a code. */
const SHORTEST_CODE = 16;
const CODE_KEY = /^[A-Za-z0-9_-]$/;

/**
 * Tells the typing of a USB scanner from a person's: a burst of code characters that ends in Enter.
 * Feed it every key with its time; it answers with the code at the Enter that completes one.
 */
export class KeyboardWedge {
  private text = '';
  private last = 0;

  key(key: string, at: number): string | null {
    // Scanners hold Shift for capitals: part of the burst, but no character.
    if (key === 'Shift') return null;
    const inBurst = at - this.last <= KEY_PAUSE_MS;
    if (!inBurst) this.text = '';
    this.last = at;
    if (key === 'Enter') {
      const code = this.text;
      this.text = '';
      return code.length >= SHORTEST_CODE ? code : null;
    }
    this.text = CODE_KEY.test(key) ? this.text + key : '';
    return null;
  }
}
