import { useLocation, useNavigate, useRouteContext } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { PourDraft } from '../../../contract/pours.ts';
import { UNDO_SECONDS } from '../../../domain/pour.ts';
import { isOnline } from '../../api/online.ts';
import { isServerTimeKnown, serverTime } from '../../api/server-clock.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { queuePour } from '../offline-queue/queue.ts';
import { useLocalBalance } from '../offline-queue/use-queue.ts';
import { useBalanceUpdate } from '../refresh-members.ts';
import { customerFromState, type FinishedPour } from './pour-state.ts';
import { type PourOutcome, sendPour, tooManyPoursText } from './record-pour.ts';

export function usePour() {
  const user = useRouteContext({ from: '/_staff', select: (context) => context.user });
  const { customer, requestId, unanswered, poured, scanned, paperCardId, guestGlassId, update } =
    usePourState();
  const balance = useLocalBalance(customer?.id ?? '', customer?.pours_balance ?? 0);
  const updateBalance = useBalanceUpdate();
  const { busy, send: sendOnce } = useSend();

  const finish = (pour: FinishedPour) => {
    playFeedback('accepted');
    return update({ poured: pour, unanswered: undefined });
  };

  const send = async (member: VerifiedCustomer, request_id: string, draft: PourDraft) => {
    const input = {
      ...draft,
      request_id,
      customer_id: member.id,
      ...(paperCardId && { paper_card_id: paperCardId }),
      ...(guestGlassId && { guest_glass_id: guestGlassId }),
    };
    const sent_at = unanswered?.sent_at ?? Date.now();
    const undo_until = sent_at + UNDO_SECONDS * 1000;
    let outcome: PourOutcome = { kind: 'unsent', attempted: unanswered !== undefined };
    if (isOnline()) {
      await update({ unanswered: { draft, sent_at } });
      outcome = await sendPour(input);
    }
    switch (outcome.kind) {
      case 'recorded': {
        const { id: pour_id, status } = outcome.pour;
        updateBalance(member.id, outcome.pours_balance);
        // The result stands where a second toast would be, such as that of the scan.
        toast.leavePage();
        toast.success('Pour recorded successfully!', { act: request_id });
        return finish({ ...draft, pour_id, undo_until, undone: status === 'voided' });
      }
      case 'unsent': {
        const { attempted } = outcome;
        const by = { staff_id: user.id, staff: user.first_name };
        const times = {
          queued_at: Date.now(),
          ...(isServerTimeKnown() && { poured_at: new Date(serverTime(sent_at)).toISOString() }),
        };
        const entry = { ...input, ...by, ...times, member: fullName(member), attempted };
        const result = await queuePour(entry, member.pours_balance);
        if (result === 'queued') return finish({ ...draft, pour_id: null, undo_until });
        if (result === 'beyond_balance' && !attempted) return playFeedback('refused');
        // The pour may have been recorded and cannot be queued: only sending it again can clarify that.
        await update({ unanswered: { draft, sent_at } });
        return showFailure(null);
      }
      case 'too_many':
        updateBalance(member.id, outcome.available);
        playFeedback('refused');
        // The form shows this below the quantity; without a glass left there is no form.
        if (outcome.available < 1) toast.error(tooManyPoursText(outcome.available));
        return update({ customer: { ...member, pours_balance: outcome.available }, unanswered: undefined });
      case 'unanswered':
        return showFailure(null, outcome.error);
      case 'refused':
        await update({ unanswered: undefined });
        return showFailure(outcome.reason);
    }
  };

  const record = async (draft: PourDraft) => {
    if (!customer || !requestId || poured) return;
    await sendOnce(
      () => send(customer, requestId, draft),
      (error) => {
        throw error;
      },
    );
  };

  const pourAnother = () =>
    update({
      request_id: crypto.randomUUID(),
      poured: undefined,
      unanswered: undefined,
      // The next pour is the member's own.
      guest_glass_id: undefined,
    });

  const markUndone = (newBalance: number | null) => {
    if (customer && newBalance !== null) updateBalance(customer.id, newBalance);
    if (!poured) return;
    toast.success('Pour undone', { act: requestId });
    void update({ poured: { ...poured, undone: true } });
  };

  return {
    customer,
    balance,
    requestId,
    unanswered,
    poured,
    scanned,
    onPaper: paperCardId !== undefined,
    forGuest: guestGlassId !== undefined,
    busy,
    record,
    pourAnother,
    markUndone,
  };
}

const fullName = ({ first_name, last_name }: VerifiedCustomer) => `${first_name} ${last_name}`;

function showFailure(reason: string | null, error?: unknown): void {
  playFeedback('refused');
  toast.error('Failed to record pour', { description: reason ?? undefined, of: error });
}

type EntryState = ReturnType<typeof useLocation>['state'];

/** The state of the pour page, stored in the history entry so that it survives a reload. */
function usePourState() {
  const navigate = useNavigate();
  const state = useLocation({ select: (location) => location.state });
  const customer = customerFromState(state);

  const update = useCallback(
    (change: Partial<EntryState>, resetScroll = false) =>
      navigate({
        to: '.',
        // Going back or reloading must not lead to a form whose pour is already recorded.
        replace: true,
        resetScroll,
        state: (previous) => ({ ...previous, ...change }),
      }),
    [navigate],
  );

  const justOpened = customer !== null && state.request_id === undefined;
  useEffect(() => {
    // This change follows the navigation so closely that it decides the scroll position for both.
    if (justOpened) void update({ request_id: crypto.randomUUID() }, true);
  }, [justOpened, update]);

  return {
    customer,
    requestId: state.request_id,
    unanswered: state.unanswered,
    poured: state.poured,
    scanned: state.scanned === true,
    paperCardId: typeof state.paper_card_id === 'string' ? state.paper_card_id : undefined,
    guestGlassId: typeof state.guest_glass_id === 'string' ? state.guest_glass_id : undefined,
    update,
  };
}
