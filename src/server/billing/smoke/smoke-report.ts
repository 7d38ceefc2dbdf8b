import type { StripeMode } from '../../config/stripe-mode.ts';
import { isStripeError } from '../stripe-errors.ts';

/**
 * One thing that was tried. `differs`: Stripe did it, and what it returned is not what we read of it. `refused`: Stripe
 * will not do it. `unanswered`: Stripe could not be reached, or failed.
 */
export interface SmokeLine {
  verdict: 'ok' | 'differs' | 'refused' | 'unanswered';
  about: string;
  text: string;
}

export interface SmokeReport {
  mode: StripeMode;
  lines: SmokeLine[];
}

/** Tries things one after another, and notes for each what became of it. */
export interface Recorder {
  lines: SmokeLine[];
  /**
   * Does one thing and compares what it returned: `check` lists what differs. Returns undefined if Stripe did not do it, or
   * if what it returned cannot be read.
   */
  step<T>(about: string, work: () => Promise<T>, check: (made: T) => string[]): Promise<T | undefined>;
}

export function createRecorder(): Recorder {
  const lines: SmokeLine[] = [];
  const note = (verdict: SmokeLine['verdict'], about: string, text: string) =>
    lines.push({ verdict, about, text });
  return {
    lines,
    async step(about, work, check) {
      try {
        const made = await work();
        const differing = check(made);
        for (const text of differing) note('differs', about, text);
        if (differing.length === 0) note('ok', about, 'as we read it');
        return made;
      } catch (error) {
        if (!isStripeError(error)) note('differs', about, `it cannot be read: ${wordsOf(error)}`);
        else note(isNo(error) ? 'refused' : 'unanswered', about, error.message);
        return undefined;
      }
    },
  };
}

/** Asking again would change nothing. Not so for a conflict, a rate limit, and Stripe's own failures. */
const isNo = ({ statusCode = 500 }: { statusCode?: number | undefined }) =>
  statusCode < 500 && statusCode !== 409 && statusCode !== 429;

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What differs between an object as read and some of its fields as expected; a field may hold a test of the value. */
export function differences(read: object, expected: Record<string, unknown>): string[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const value: unknown = Reflect.get(read, name);
    const shown = JSON.stringify(value);
    if (typeof wanted === 'function') return wanted(value) ? [] : [`${name} is ${shown}`];
    return shown === JSON.stringify(wanted) ? [] : [`${name} is ${shown}, not ${JSON.stringify(wanted)}`];
  });
}
