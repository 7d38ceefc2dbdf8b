import Delete from 'lucide-react/icons/delete';
import { useEffect, useRef, useState } from 'react';
import { PIN_DIGITS } from '../../../domain/staff/staff-pin.ts';
import { isApiError, refusalOf } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { logFailure } from '../../api/log-failure.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Initials } from '../../ui/initials.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useSend } from '../../ui/use-send.ts';
import type { Person } from './use-people.ts';

interface PinPadProps {
  person: Person;
  onEntered: () => Promise<void>;
  onBack: () => void;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const KEY =
  'grid min-h-16 select-none place-items-center rounded-lg border border-line-strong bg-surface font-title text-3xl tabular-nums hover-ready:border-ink hover-ready:bg-surface-raised disabled:opacity-50 [@media(height<45rem)]:min-h-12';

export function PinPad({ person, onEntered, onBack }: PinPadProps) {
  const { typed, busy, failure, final, press, erase } = usePin(person.user_id, onEntered, onBack);
  const name = `${person.first_name} ${person.last_name}`.trim();
  const pad = useRef<HTMLFieldSetElement>(null);
  useEffect(() => pad.current?.focus({ preventScroll: true }), []);
  return (
    <PageShell
      title={name}
      width="narrow"
      centered
      beside
      back={
        <Button
          variant="quiet"
          size="sm"
          className="-ml-3"
          icon={<Icon shape="back" size={18} />}
          onClick={onBack}
        >
          Someone Else
        </Button>
      }
      heading={
        <>
          <Initials
            {...person}
            className="mx-auto mb-4 short:hidden lying:hidden size-20 font-title text-3xl"
          />
          {name}
        </>
      }
      lead="Enter your PIN"
    >
      {/* Last on an upright screen; first here, so that it is beside the rest on a phone in landscape. */}
      <fieldset
        ref={pad}
        tabIndex={-1}
        disabled={final}
        aria-label={`PIN of ${name}`}
        className="order-1 mx-auto grid w-full max-w-80 lying:w-80 lying:self-start grid-cols-3 gap-3 outline-none"
      >
        {KEYS.map((digit) => (
          <button key={digit} type="button" className={KEY} onClick={() => press(digit)}>
            {digit}
          </button>
        ))}
        <span />
        <button type="button" className={KEY} onClick={() => press('0')}>
          0
        </button>
        <button type="button" aria-label="Erase the last digit" className={KEY} onClick={erase}>
          <Delete size={28} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </fieldset>
      <p role="status" className="sr-only">
        {busy ? 'Checking...' : `${typed} of ${PIN_DIGITS} digits`}
      </p>
      <div aria-hidden="true" className="flex justify-center gap-5">
        {Array.from({ length: PIN_DIGITS }, (_, at) => at).map((at) => (
          <span
            key={at}
            className={classNames(
              'size-4 rounded-full border-2 border-line-strong',
              at < typed && 'border-accent-text! bg-accent-text',
              busy && 'motion-safe:animate-pulse',
            )}
          />
        ))}
      </div>
      {/* Reserves space, so that no key moves under a finger. */}
      <div className="mx-auto min-h-16 w-full max-w-80 lying:min-h-0">
        {failure.text && (
          <Notice key={failure.times} tone="danger" role="alert">
            {failure.text}
          </Notice>
        )}
      </div>
    </PageShell>
  );
}

/** `final`: nothing more can be typed. */
function problemOf(error: unknown): { text: string; final: boolean } {
  const wrong = refusalOf(error, 'WRONG_PIN');
  if (wrong) {
    const { tries_left } = wrong.data;
    return { text: `Wrong PIN. ${tries_left === 1 ? '1 try' : `${tries_left} tries`} left.`, final: false };
  }
  const refusal = refusalOf(error, 'TOO_MANY_ATTEMPTS');
  if (refusal) {
    const minutes = Math.ceil(refusal.data.retry_after_seconds / 60);
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
function usePin(user_id: string, onEntered: () => Promise<void>, onBack: () => void) {
  const [typed, setTyped] = useState('');
  const { busy, failure, send } = useSend();
  const [final, setFinal] = useState(false);
  // State is one render behind, and a fast hand types two digits within one render.
  const digits = useRef('');

  const show = (next: string) => {
    digits.current = next;
    setTyped(next);
  };

  const check = (pin: string) =>
    send(
      async () => {
        await api.barDevices.switchIn({ user_id, pin }, inTime());
        await onEntered();
      },
      (error) => {
        show('');
        // If the tablet was signed out meanwhile, the previous page says so.
        if (refusalOf(error, 'NOT_SIGNED_IN')) return onBack();
        const problem = problemOf(error);
        setFinal(problem.final);
        return problem.text;
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

  return { typed: typed.length, busy, failure, final, press, erase };
}
