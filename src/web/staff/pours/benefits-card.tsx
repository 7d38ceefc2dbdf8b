import { useState } from 'react';
import type { BarBenefit } from '../../../contract/benefits.ts';
import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { BarCard } from '../../../contract/members.ts';
import { benefitLeftText } from '../../../domain/membership/benefit.ts';
import { refusalOf } from '../../api/client.ts';
import { noAccessReason } from '../../format/standing-labels.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { useSend } from '../../ui/use-send.ts';
import { useTablet } from '../tablet/use-tablet.ts';
import { formatDateTime } from '../venue-dates.ts';
import { CountdownRing, useCountdown } from './undo-button.tsx';
import { useBenefits } from './use-benefits.ts';
import { showVoidFailure, UndoDialog } from './void-dialog.tsx';

interface BenefitsCardProps {
  customer: VerifiedCustomer;
  /** Undefined until it is loaded, and without a network. */
  bar: BarCard | undefined;
}

/** What the member's tier gives beside the pours: counted ones with what is left and a button. Nothing without any. */
export function BenefitsCard({ customer, bar }: BenefitsCardProps) {
  const state = useBenefits(customer, bar);
  const reason = bar ? noAccessReason(bar) : null;
  if (state.benefits.length === 0) return null;
  return (
    <Card title="Benefits" className="pinned:px-4! pinned:py-2.5!">
      {reason && <p className="pb-2 font-medium text-danger">Not now: {reason}</p>}
      <ul className="divide-y divide-line">
        {state.benefits.map((benefit) => (
          <BenefitRow key={benefit.id} benefit={benefit} state={state} mayTake={reason === null} />
        ))}
      </ul>
    </Card>
  );
}

interface BenefitRowProps {
  benefit: BarBenefit;
  state: ReturnType<typeof useBenefits>;
  mayTake: boolean;
}

/** The button to undo is below, where the second tap of a double tap does not reach it. */
function BenefitRow({ benefit, state, mayTake }: BenefitRowProps) {
  const { words, every, number, left, taken } = benefit;
  const [last] = taken;
  const waiting = state.waiting.filter((it) => it.benefit_id === benefit.id);
  const isCounted = every !== null && number !== null && left !== null;
  const office = useTablet() === null;
  const seconds = useCountdown(last && last.id === state.taken?.use_id ? state.taken.undo_until : 0);
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="wrap-anywhere font-medium">{words}</p>
          {isCounted && (
            <p className="text-ink-muted text-sm tabular-nums">{benefitLeftText({ every, number, left })}</p>
          )}
        </div>
        {isCounted && mayTake && (
          <Button
            variant="secondary"
            aria-label={`Take: ${words}`}
            busy={state.busy}
            // For a moment, so that a double tap takes one.
            disabled={left < 1 || seconds > 8}
            onClick={() => void state.take(benefit)}
          >
            Take
          </Button>
        )}
      </div>
      {waiting.map(({ request_id }) => (
        <div key={request_id} className="mt-1 flex items-center justify-between gap-4 text-sm">
          <p className="text-warning">Taken, waiting to be sent</p>
          <Button
            variant="quiet"
            size="sm"
            className="-mr-3"
            aria-label={`Undo ${words}`}
            onClick={() => void state.withdraw(request_id)}
          >
            Undo
          </Button>
        </div>
      ))}
      {last && (
        <div className="mt-1 flex items-center justify-between gap-4 text-sm">
          <p role={seconds > 0 ? 'status' : undefined} className="text-ink-muted">
            Taken {formatDateTime(last.at)}, by {last.by}
          </p>
          {(office || last.own) && <UndoUse id={last.id} words={words} seconds={seconds} undo={state.undo} />}
        </div>
      )}
    </li>
  );
}

interface UndoUseProps {
  id: string;
  words: string;
  /** How long it needs no reason. */
  seconds: number;
  undo: (id: string, reason?: string) => Promise<void>;
}

function UndoUse({ id, words, seconds, undo }: UndoUseProps) {
  const [asking, setAsking] = useState(false);
  const { busy, send } = useSend();
  const undoNow = () =>
    send(
      () => undo(id),
      // The ten seconds may have passed on the way to the server.
      (error) =>
        refusalOf(error, 'VOID_NEEDS_REASON') ? setAsking(true) : showVoidFailure(error, 'benefit'),
    );
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        className="-mr-3 shrink-0"
        busy={busy}
        icon={seconds > 0 && <CountdownRing seconds={seconds} />}
        onClick={() => (seconds > 0 ? void undoNow() : setAsking(true))}
      >
        {seconds > 0 ? 'Undo' : 'Undo...'}
        <span className="sr-only"> {words}</span>
      </Button>
      {asking && (
        <UndoDialog
          what="benefit"
          description={`“${words}” will be returned to the member. The history keeps it, marked as undone.`}
          onUndo={(reason) => undo(id, reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
