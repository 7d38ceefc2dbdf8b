import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import ScanLine from 'lucide-react/icons/scan-line';
import { useEffect, useRef } from 'react';
import { pourCount } from '../../../domain/pour.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { orpc } from '../../api/client.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { placeLabel } from './pour-place.ts';
import type { FinishedPour } from './pour-state.ts';
import { type PourStatus, usePourStatus } from './pour-status.ts';
import { UndoButton } from './undo-button.tsx';

interface PourResultProps {
  memberId: string;
  pour: FinishedPour;
  requestId: string;
  balance: number;
  /** Poured for a guest, who does not see the member's balance. */
  forGuest: boolean;
  /** The scanner reopens automatically when the time to undo is over. */
  returns: boolean;
  /** Called with the new balance; null if the pour never reached the server. */
  onUndone: (newBalance: number | null) => void;
  onPourAnother: () => void;
}

/**
 * Replaces the form. On a phone the result takes the place of the button, with the new buttons above it, so that the second
 * tap of a double tap does nothing; a wide window has the result first, far from where the button was.
 */
export function PourResult(props: PourResultProps) {
  const { memberId, pour, requestId, balance, forGuest, returns, onUndone, onPourAnother } = props;
  const status = usePourStatus(pour, requestId);
  const scanNext = useRef<HTMLAnchorElement>(null);
  // Links have no autofocus.
  useEffect(() => scanNext.current?.focus({ preventScroll: true }), []);
  useReturnToScanner(returns && status.kind === 'recorded', pour.undo_until);
  return (
    <>
      <div className="order-last grid grid-cols-2 gap-3">
        <Button
          variant="quiet"
          size="lg"
          className="px-2! text-base! max-[380px]:text-sm!"
          disabled={balance < 1}
          onClick={onPourAnother}
        >
          Pour Another
        </Button>
        <LinkButton
          to="/staff/customers/$id"
          params={{ id: memberId }}
          variant="quiet"
          size="lg"
          className="px-2! text-base! max-[380px]:text-sm!"
        >
          View Customer
        </LinkButton>
      </div>
      <ActionBar tall>
        <div className="grid grid-cols-[7.5rem_1fr] gap-3 sm:grid-cols-[2fr_3fr]">
          <UndoButton status={status} pour={pour} requestId={requestId} onUndone={onUndone} />
          <LinkButton
            to="/staff/search"
            size="xl"
            className="min-h-16! short:min-h-14! lying:min-h-14! gap-2.5! px-3!"
            ref={scanNext}
            icon={<ScanLine size={26} className="max-[380px]:hidden" />}
          >
            Scan Next
          </LinkButton>
        </div>
        <StatusPanel {...{ status, pour, balance, forGuest }} />
      </ActionBar>
    </>
  );
}

const STATUS_STYLES = {
  recorded: { panel: 'bg-positive-soft', icon: 'bg-positive-fill', shape: 'check' },
  queued: { panel: 'bg-warning-soft', icon: 'bg-accent', shape: 'offline' },
  refused: { panel: 'bg-danger-soft', icon: 'bg-danger-fill', shape: 'alert' },
  undone: { panel: 'bg-neutral-soft', icon: 'bg-accent', shape: 'back' },
  unknown: { panel: 'bg-neutral-soft', icon: 'bg-accent', shape: 'info' },
} as const satisfies Record<PourStatus['kind'], object>;

function statusText(status: PourStatus, pour: FinishedPour, wine: string | undefined) {
  const count = pourCount(pour.quantity);
  const place = [wine, placeLabel(pour.location)].filter(Boolean).join(', ');
  switch (status.kind) {
    case 'recorded':
      return { title: `${count} recorded`, detail: place };
    case 'queued':
      return { title: `${count} waiting`, detail: `${place}. Sent as soon as you’re back online.` };
    case 'refused':
      return { title: 'Not recorded', detail: status.reason };
    case 'undone':
      return { title: `${count} undone`, detail: 'Returned to the member’s balance' };
    case 'unknown':
      return { title: 'No longer waiting', detail: 'Check the pour history to see if it was recorded.' };
  }
}

/** The list of open wines, which the form has loaded, names the wine; without a network, too. */
function useWineTitle(id: string | undefined): string | undefined {
  const { data } = useQuery({ ...orpc.wines.listOpen.queryOptions(), enabled: id !== undefined });
  const wine = data?.find((it) => it.id === id);
  return wine && wineTitle(wine);
}

type StatusPanelProps = Pick<PourResultProps, 'pour' | 'balance' | 'forGuest'> & { status: PourStatus };

function StatusPanel({ status, pour, balance, forGuest }: StatusPanelProps) {
  const style = STATUS_STYLES[status.kind];
  const { title, detail } = statusText(status, pour, useWineTitle(pour.wine_id));
  return (
    <div
      role="status"
      className={classNames(
        'flex min-h-20 lg:order-first short:min-h-14 lying:min-h-14 items-center gap-3 rounded-lg px-4 py-2 short:py-1 lying:py-1 sm:gap-4 sm:px-5',
        style.panel,
      )}
    >
      <span
        className={classNames(
          'grid size-11 short:size-9 lying:hidden shrink-0 place-items-center rounded-full text-fill-ink',
          style.icon,
        )}
      >
        <Icon shape={style.shape} size={24} strokeWidth={2.5} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-title short:text-lg! lying:text-lg! text-xl sm:text-2xl">{title}</span>
        <span className="wrap-anywhere block text-sm lying:text-xs">{detail}</span>
      </span>
      {!forGuest && (
        <span className="shrink-0 text-center">
          <span className="block font-title text-3xl tabular-nums">{balance}</span>
          <span className="block text-sm">left</span>
        </span>
      )}
    </div>
  );
}

/**
 * Returns to the scanner when the time to undo is over (milliseconds since 1970), so that scan, capture, pour is the whole
 * loop. Any touch or key on the page cancels this: staff are still busy with this member.
 */
function useReturnToScanner(isOn: boolean, until: number): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOn) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => void navigate({ to: '/staff/search' }), Math.max(0, until - Date.now()));
    signal.addEventListener('abort', () => clearTimeout(timer));
    const stay = () => controller.abort();
    document.addEventListener('pointerdown', stay, { signal });
    document.addEventListener('keydown', stay, { signal });
    return stay;
  }, [isOn, until, navigate]);
}
