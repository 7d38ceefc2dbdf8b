import { invalid } from '../http/errors.ts';
import { catchUp } from '../subscriptions/lifecycle.ts';
import { boundary } from '../subscriptions/periods.ts';
import { timeOf, type World } from './world.ts';

const MAX_YEARS = 10;

/**
 * Moves the sandbox clock forward and does everything that becomes due on the way. `step`: seconds (3600), a span ("1 day",
 * "2 months"), or an ISO date. Throws 400 for anything else, for going back, and for more than ten years at once.
 */
export function advance(world: World, step: unknown): void {
  const now = timeOf(world);
  const target = moment(now, step);
  if (target === null)
    throw invalid('advance must be seconds, a span such as "1 month", or an ISO date.', 'advance');
  if (target < now) throw invalid('The clock only moves forward.', 'advance');
  if (target > boundary(now, { interval: 'year', interval_count: 1 }, MAX_YEARS))
    throw invalid(`The clock moves at most ${MAX_YEARS} years at once.`, 'advance');
  world.state.clock_offset += (target - now) * 1000;
  catchUp(world);
}

function moment(now: number, step: unknown): number | null {
  if (typeof step === 'number' && Number.isFinite(step)) return now + Math.round(step);
  if (typeof step !== 'string') return null;
  if (/^\d+$/.test(step.trim())) return now + Number(step);
  const span = /^\s*\+?\s*(\d+)\s*(second|minute|hour|day|week|month|year)s?\s*$/i.exec(step);
  if (span) {
    const count = Number(span[1]);
    const unit = String(span[2]).toLowerCase();
    const seconds = { second: 1, minute: 60, hour: 3600 }[unit];
    return seconds ? now + count * seconds : boundary(now, { interval: unit, interval_count: 1 }, count);
  }
  const date = /^\d{4}-\d{2}-\d{2}/.test(step) ? Date.parse(step) : Number.NaN;
  return Number.isNaN(date) ? null : Math.floor(date / 1000);
}
