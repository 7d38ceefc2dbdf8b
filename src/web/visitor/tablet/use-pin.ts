import { useEffect, useRef, useState } from 'react';
import { PIN_DIGITS } from '../../../domain/staff/staff-pin.ts';
import { isApiError, refusalOf } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { useSend } from '../../ui/use-send.ts';

interface Problem {
  text: string;
  /** Counted, so that screen readers read a repeated text again. */
  times: number;
  /** Nothing more can be typed. */
  final: boolean;
}

function problemOf(error: unknown): Omit<Problem, 'times'> {
  const wrong = refusalOf(error, 'WRONG_PIN');
  if (wrong) {
    const { tries_left } = wrong.data;
    return { text: `Wrong PIN. ${tries_left === 1 ? '1 try' : `${tries_left} tries`} left.`, final: false };
  }
  const limited = refusalOf(error, 'TOO_MANY_ATTEMPTS');
  if (limited) {
    const minutes = Math.ceil(limited.data.retry_after_seconds / 60);
    return {
      text: `Too many PINs were tried on this tablet. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
      final: true,
    };
  }
  if (isApiError(error) && error.status < 500) return { text: error.message, final: true };
  logFailure('Checking a PIN', error);
  return { text: 'We can’t reach our server, which checks the PIN. Please try again.', final: false };
}

/** A PIN entered by touch or keyboard, and sent with its last digit. The digits are never shown. */
export function usePin(user_id: string, onEntered: () => Promise<void>, onBack: () => void) {
  const [typed, setTyped] = useState('');
  const { busy, send } = useSend();
  const [problem, setProblem] = useState<Problem | null>(null);
  // State is one render behind, and a fast hand types two digits within one render.
  const digits = useRef('');
  const final = problem?.final ?? false;

  const show = (next: string) => {
    digits.current = next;
    setTyped(next);
  };

  const check = (pin: string) =>
    send(
      async () => {
        await api.barDevices.switchIn({ user_id, pin });
        await onEntered();
      },
      (error) => {
        show('');
        // If the tablet was signed out meanwhile, the previous page says so.
        if (refusalOf(error, 'NOT_SIGNED_IN')) onBack();
        else setProblem((before) => ({ ...problemOf(error), times: (before?.times ?? 0) + 1 }));
      },
    );

  // With all digits typed, the PIN is being checked, and no key does anything.
  const isFull = () => digits.current.length >= PIN_DIGITS;
  const press = (digit: string) => {
    if (final || isFull()) return;
    show(digits.current + digit);
    if (isFull()) void check(digits.current);
  };
  const erase = () => {
    if (!isFull()) show(digits.current.slice(0, -1));
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^\d$/.test(event.key)) press(event.key);
      else if (event.key === 'Backspace') erase();
      else if (event.key === 'Escape') onBack();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  return { typed: typed.length, busy, problem, press, erase };
}
