import { useEffect, useState } from 'react';
import { UNDO_SECONDS } from '../../../domain/pour.ts';
import { api, refusalOf } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { withdrawQueued } from '../offline-queue/queue.ts';
import type { FinishedPour } from './pour-state.ts';
import type { PourStatus } from './pour-status.ts';
import { showVoidFailure, VoidDialog } from './void-dialog.tsx';

interface UndoButtonProps {
  status: PourStatus;
  pour: FinishedPour;
  requestId: string;
  /** Called with the new balance; null if the pour never reached the server. */
  onUndone: (newBalance: number | null) => void;
}

/** Undoes with one tap while no reason is needed, and asks for a reason later (`docs/rules/pours.md`, "Undo"). */
export function UndoButton({ status, pour, requestId, onUndone }: UndoButtonProps) {
  const seconds = useCountdown(pour.undo_until);
  const [asking, setAsking] = useState(false);
  const { busy, send } = useSend();
  const undo = () =>
    send(
      async () => {
        if (status.kind !== 'queued') {
          const { pours_balance } = await api.pours.void({ id: pour.pour_id ?? '' }, inTime());
          onUndone(pours_balance);
        } else if (await withdrawQueued(requestId)) onUndone(null);
        else
          toast.error(
            'This pour is no longer waiting. If it was recorded, you can undo it in the member’s history.',
          );
      },
      // The ten seconds may have passed on the way to the server.
      (error) => (refusalOf(error, 'VOID_NEEDS_REASON') ? setAsking(true) : showVoidFailure(error)),
    );
  const recorded = status.kind === 'recorded' && pour.pour_id !== null;
  const needsReason = recorded && seconds === 0;
  return (
    <>
      <Button
        variant="secondary"
        size="xl"
        className="min-h-16! gap-2.5! px-3!"
        busy={busy}
        disabled={!recorded && status.kind !== 'queued'}
        icon={recorded && !needsReason && <CountdownRing seconds={seconds} />}
        onClick={() => (needsReason ? setAsking(true) : void undo())}
      >
        {needsReason ? 'Undo...' : 'Undo'}
      </Button>
      {asking && pour.pour_id && (
        <VoidDialog
          pour={{ id: pour.pour_id, quantity: pour.quantity }}
          onClose={() => setAsking(false)}
          onVoided={onUndone}
        />
      )}
    </>
  );
}

const CIRCUMFERENCE = 2 * Math.PI * 15;

/** Hidden from screen readers: a number read out every second would drown everything else. */
export function CountdownRing({ seconds }: { seconds: number }) {
  return (
    <span
      aria-hidden="true"
      className="relative grid size-9 shrink-0 place-items-center"
      data-seconds={seconds}
    >
      <svg viewBox="0 0 36 36" fill="none" strokeWidth="3" className="-rotate-90 absolute inset-0">
        <title>Time left</title>
        <circle cx="18" cy="18" r="15" className="stroke-line" />
        <circle
          cx="18"
          cy="18"
          r="15"
          className="stroke-wine transition-[stroke-dashoffset] duration-1000 ease-linear"
          strokeDasharray={CIRCUMFERENCE}
          strokeDashoffset={CIRCUMFERENCE * (1 - seconds / UNDO_SECONDS)}
        />
      </svg>
      <span className="text-sm tabular-nums">{seconds}</span>
    </span>
  );
}

/** Whole seconds until `until`, both in milliseconds: 10, 9 ... 1, 0. Never above 10, even if the clock is set back. */
export function secondsLeft(until: number, now: number): number {
  return Math.min(UNDO_SECONDS, Math.max(0, Math.ceil((until - now) / 1000)));
}

export function useCountdown(until: number): number {
  const [seconds, setSeconds] = useState(() => secondsLeft(until, Date.now()));
  useEffect(() => {
    const tick = () => setSeconds(secondsLeft(until, Date.now()));
    tick();
    const timer = setInterval(() => {
      tick();
      if (Date.now() >= until) clearInterval(timer);
    }, 200);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
