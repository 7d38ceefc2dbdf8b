import { useEffect, useState } from 'react';
import { UNDO_SECONDS } from '../../../domain/pour.ts';

/** Whole seconds until `until`, both in milliseconds: 10, 9 ... 1, 0. Never above 10, even if the clock is set back. */
export function secondsLeft(until: number, now: number): number {
  return Math.min(UNDO_SECONDS, Math.max(0, Math.ceil((until - now) / 1000)));
}

export function useCountdown(until: number): number {
  const [left, setLeft] = useState(() => secondsLeft(until, Date.now()));
  useEffect(() => {
    const tick = () => setLeft(secondsLeft(until, Date.now()));
    tick();
    const timer = setInterval(() => {
      tick();
      if (Date.now() >= until) clearInterval(timer);
    }, 200);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}
