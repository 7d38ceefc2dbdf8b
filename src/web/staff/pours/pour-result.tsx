import { useMutation } from '@tanstack/react-query';
import { ScanLine } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { POUR_LOCATION_LABELS, pourCount, UNDO_SECONDS } from '../../../domain/pour.ts';
import { refusalOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { withdrawQueued } from '../offline-queue/queue.ts';
import type { PouredGlass } from './pour-state.ts';
import { type PourStatus, usePourStatus } from './pour-status.ts';
import { useCountdown } from './use-countdown.ts';
import { VoidDialog } from './void-dialog.tsx';
import { voidFailed, voidPour } from './void-pour.ts';

interface PourResultProps {
  memberId: string;
  glass: PouredGlass;
  requestId: string;
  balance: number;
  onUndone: (poursBalance: number | null) => void;
  onAgain: () => void;
}

const looks = {
  recorded: { box: 'bg-positive-soft', mark: 'bg-positive-fill', shape: 'check' },
  waiting: { box: 'bg-warning-soft', mark: 'bg-accent', shape: 'offline' },
  gone: { box: 'bg-surface-sunken', mark: 'bg-accent', shape: 'info' },
  refused: { box: 'bg-danger-soft', mark: 'bg-danger-fill', shape: 'alert' },
  undone: { box: 'bg-surface-sunken', mark: 'bg-accent', shape: 'back' },
} as const satisfies Record<PourStatus['kind'], object>;

function words(fate: PourStatus, glass: PouredGlass): [string, string] {
  const pours = pourCount(glass.quantity);
  const place = POUR_LOCATION_LABELS[glass.location];
  switch (fate.kind) {
    case 'recorded':
      return [`${pours} recorded`, place];
    case 'waiting':
      return [`${pours} waiting`, `${place}, until the network is back`];
    case 'gone':
      return ['No longer waiting', 'The pour history tells what became of it'];
    case 'refused':
      return ['Not recorded', fate.why];
    case 'undone':
      return [`${pours} undone`, 'Given back to the member'];
  }
}

/**
 * Takes the place of the button. What now lies under a finger that taps twice is only read; what can be pressed
 * lies below.
 */
export function PourResult({ memberId, glass, requestId, balance, onUndone, onAgain }: PourResultProps) {
  const fate = usePourStatus(glass, requestId);
  const look = looks[fate.kind];
  const [title, detail] = words(fate, glass);
  const next = useRef<HTMLAnchorElement>(null);
  // The attribute that does this is not for links.
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  return (
    <div className="flex flex-col gap-3">
      <div
        role="status"
        className={classNames(
          'flex min-h-28 items-center gap-3 rounded-lg px-4 py-3 sm:gap-4 sm:px-5',
          look.box,
        )}
      >
        <span
          className={classNames(
            'grid size-11 shrink-0 place-items-center rounded-full text-fill-ink',
            look.mark,
          )}
        >
          <Icon shape={look.shape} size={24} strokeWidth={2.5} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-title text-xl sm:text-2xl">{title}</span>
          <span className="block text-sm">{detail}</span>
        </span>
        <span className="shrink-0 text-center">
          <span className="block font-title text-3xl tabular-nums">{balance}</span>
          <span className="block text-sm">left</span>
        </span>
      </div>
      <div className="grid grid-cols-[7.5rem_1fr] sm:grid-cols-[2fr_3fr] gap-3">
        <UndoButton fate={fate} glass={glass} requestId={requestId} onUndone={onUndone} />
        <LinkButton
          to="/staff/search"
          size="xl"
          className="gap-2.5! px-3!"
          ref={next}
          icon={<ScanLine size={26} aria-hidden="true" className="max-[380px]:hidden" />}
        >
          Scan next
        </LinkButton>
      </div>
      <div className="grid grid-cols-2 gap-3">
        <Button
          variant="quiet"
          size="lg"
          className="px-2! text-base! max-[380px]:text-sm!"
          disabled={balance < 1}
          onClick={onAgain}
        >
          Pour another
        </Button>
        <LinkButton
          to="/staff/customers/$id"
          params={{ id: memberId }}
          variant="quiet"
          size="lg"
          className="px-2! text-base! max-[380px]:text-sm!"
        >
          Open customer
        </LinkButton>
      </div>
    </div>
  );
}

type UndoButtonProps = Pick<PourResultProps, 'glass' | 'requestId' | 'onUndone'> & { fate: PourStatus };

function UndoButton({ fate, glass, requestId, onUndone }: UndoButtonProps) {
  const seconds = useCountdown(glass.undo_until);
  const [asking, setAsking] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      if (fate.kind === 'waiting') return { pours_balance: null, done: await withdrawQueued(requestId) };
      return { ...(await voidPour(glass.pour_id ?? '')), done: true };
    },
    onSuccess: ({ pours_balance, done }) => done && onUndone(pours_balance),
    // The last moment may have passed on the way.
    onError: (error) => (refusalOf(error, 'VOID_NEEDS_REASON') ? setAsking(true) : voidFailed(error)),
  });
  const recorded = fate.kind === 'recorded' && glass.pour_id !== null;
  const possible = fate.kind === 'waiting' || recorded;
  const counting = recorded && seconds > 0;
  const late = recorded && seconds === 0;
  return (
    <>
      <Button
        variant="secondary"
        size="xl"
        className="gap-2.5! px-3!"
        busy={isPending}
        disabled={!possible}
        icon={counting && <Clock seconds={seconds} />}
        onClick={() => (late ? setAsking(true) : mutate())}
      >
        {late ? 'Undo...' : 'Undo'}
      </Button>
      <VoidDialog
        pour={asking && glass.pour_id ? { id: glass.pour_id, quantity: glass.quantity } : null}
        onClose={() => setAsking(false)}
        onVoided={onUndone}
      />
    </>
  );
}

const ROUND = 2 * Math.PI * 15;

/** The seconds in words and as a ring that runs out; silent, as nobody wants to hear a number every second. */
function Clock({ seconds }: { seconds: number }) {
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
          strokeDasharray={ROUND}
          strokeDashoffset={ROUND * (1 - seconds / UNDO_SECONDS)}
        />
      </svg>
      <span className="text-sm tabular-nums">{seconds}</span>
    </span>
  );
}
