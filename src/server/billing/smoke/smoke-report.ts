import type { StripeMode } from '../../config/stripe-mode.ts';
import { isStripeError } from '../stripe-errors.ts';

/** differs: Stripe did it otherwise. refused: Stripe will not. unanswered: Stripe failed, or was not reached. */
export interface SmokeLine {
  verdict: 'ok' | 'differs' | 'refused' | 'unanswered';
  about: string;
  text: string;
}

export interface SmokeReport {
  mode: StripeMode;
  lines: SmokeLine[];
}

/** Tries steps one after another, and records the outcome of each. */
export interface Recorder {
  lines: SmokeLine[];
  /** Does one step; `check` lists what differs. Undefined if Stripe did not do it, or the result cannot be read. */
  step<T>(about: string, work: () => Promise<T>, check: (made: T) => string[]): Promise<T | undefined>;
  /** Looks at something that only a real account can settle, and records what was seen beside what we believe. */
  belief(about: string, believed: string, see: () => Promise<string>): Promise<void>;
}

export function createRecorder(): Recorder {
  const lines: SmokeLine[] = [];
  const note = (verdict: SmokeLine['verdict'], about: string, text: string) =>
    lines.push({ verdict, about, text });
  const recorder: Recorder = {
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
        else note(isRefusal(error) ? 'refused' : 'unanswered', about, error.message);
        return undefined;
      }
    },
    async belief(about, believed, see) {
      const seen = await recorder.step(about, see, (it) =>
        it === believed ? [] : [`seen: ${it}; we believe: ${believed}`],
      );
      const line = lines.at(-1);
      if (line && seen === believed) line.text = `seen: ${seen}, as we believe`;
    },
  };
  return recorder;
}

/** Whether repeating is pointless; false for a conflict, a rate limit, and Stripe's own failures. */
const isRefusal = ({ statusCode = 500 }: { statusCode?: number | undefined }) =>
  statusCode < 500 && statusCode !== 409 && statusCode !== 429;

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Differences between an object and some expected fields; an expected field may be a test of the value. */
export function differences(read: object, expected: Record<string, unknown>): string[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const value: unknown = Reflect.get(read, name);
    const shown = JSON.stringify(value);
    if (typeof wanted === 'function') return wanted(value) ? [] : [`${name} is ${shown}`];
    return shown === JSON.stringify(wanted) ? [] : [`${name} is ${shown}, not ${JSON.stringify(wanted)}`];
  });
}
