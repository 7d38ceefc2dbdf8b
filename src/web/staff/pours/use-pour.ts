import { useRouteContext } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { PourDraft } from '../../../contract/pours.ts';
import { pourCount, UNDO_SECONDS } from '../../../domain/pour.ts';
import { toast } from '../../ui/toast.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { queuePour } from '../offline-queue/queue.ts';
import { useLocalBalance } from '../offline-queue/use-queue.ts';
import { useBalanceUpdate } from '../refresh-members.ts';
import { attemptPour } from './attempt-pour.ts';
import type { FinishedPour } from './pour-state.ts';
import { saveQuickPour } from './quick-pour-defaults.ts';
import { tooManyPoursText } from './record-pour.ts';
import { usePourState } from './use-pour-state.ts';

/** The one-tap button, or the full form, which first asks the server what is available. */
type PourSource = 'quick' | 'form';

/** One member at the bar: who, what is left, and the one pour this page may record. */
export function usePour() {
  const user = useRouteContext({ from: '/_staff', select: (context) => context.user });
  const { customer, requestId, unanswered, poured, update } = usePourState();
  const balance = useLocalBalance(customer?.id ?? '', customer?.pours_balance ?? 0);
  const updateBalance = useBalanceUpdate();
  const [busy, setBusy] = useState<PourSource | null>(null);
  // A second tap may come before the first is drawn.
  const sending = useRef(false);

  const finish = (pour: FinishedPour) => {
    saveQuickPour(pour);
    playFeedback('accepted');
    return update({ poured: pour, unanswered: undefined });
  };

  const send = async (member: VerifiedCustomer, request_id: string, draft: PourDraft, source: PourSource) => {
    const input = { ...draft, request_id, customer_id: member.id };
    const sent_at = unanswered?.sent_at ?? Date.now();
    const undo_until = sent_at + UNDO_SECONDS * 1000;
    const outcome = await attemptPour(input, {
      checkFirst: source === 'form',
      sentBefore: unanswered !== undefined,
      beforeSend: () => update({ unanswered: { draft, sent_at } }),
    });
    switch (outcome.kind) {
      case 'recorded': {
        const { id: pour_id, status } = outcome.pour;
        updateBalance(member.id, outcome.pours_balance);
        toast.success('Pour recorded successfully!', { description: poursLeftText(outcome.pours_balance) });
        return finish({ ...draft, pour_id, undo_until, undone: status === 'voided' });
      }
      case 'unsent': {
        const { attempted } = outcome;
        const by = { staff_id: user.id, staff: user.first_name };
        const entry = { ...input, ...by, member: fullName(member), queued_at: Date.now(), attempted };
        const result = await queuePour(entry, member.pours_balance);
        if (result === 'queued') return finish({ ...draft, pour_id: null, undo_until });
        if (result === 'beyond_balance' && !attempted) return playFeedback('refused');
        // It may have been recorded and cannot be queued: only sending it again can tell.
        await update({ unanswered: { draft, sent_at } });
        return showFailure(null);
      }
      case 'too_many':
        updateBalance(member.id, outcome.available);
        playFeedback('refused');
        // The form shows this under the quantity.
        if (source === 'quick') toast.error(tooManyPoursText(outcome.available));
        return update({ customer: { ...member, pours_balance: outcome.available }, unanswered: undefined });
      case 'unanswered':
        return showFailure(null, outcome.error);
      case 'refused':
        await update({ unanswered: undefined });
        return showFailure(outcome.reason);
    }
  };

  const record = async (draft: PourDraft, source: PourSource) => {
    if (!customer || !requestId || sending.current || poured) return;
    sending.current = true;
    setBusy(source);
    try {
      await send(customer, requestId, draft, source);
    } finally {
      sending.current = false;
      setBusy(null);
    }
  };

  /** Another pour for the same member is another request. */
  const pourAnother = () =>
    update({ request_id: crypto.randomUUID(), poured: undefined, unanswered: undefined });

  /** `newBalance` is null if the pour never reached the server. */
  const markUndone = (newBalance: number | null) => {
    if (customer && newBalance !== null) updateBalance(customer.id, newBalance);
    if (poured) void update({ poured: { ...poured, undone: true } });
  };

  return { customer, balance, requestId, unanswered, poured, busy, record, pourAnother, markUndone };
}

const fullName = ({ first_name, last_name }: VerifiedCustomer) => `${first_name} ${last_name}`;

function showFailure(reason: string | null, error?: unknown): void {
  playFeedback('refused');
  toast.error('Failed to record pour', { description: reason ?? undefined, of: error });
}

/** '1 pour left', '6 pours left' */
function poursLeftText(balance: number): string {
  return `${pourCount(balance)} left`;
}
