import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouteContext } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { UNDO_SECONDS } from '../../../domain/pour.ts';
import { orpc } from '../../api/client.ts';
import { toast } from '../../ui/toast.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { leftOnDevice, queuePour } from '../offline-queue/queue.ts';
import { queueStore } from '../offline-queue/queue-store.ts';
import { useLeftOnDevice } from '../offline-queue/use-queue.ts';
import type { PouredGlass, PourOrder } from './pour-state.ts';
import { customerOf } from './pour-state.ts';
import { rememberChoice } from './quick-pour-defaults.ts';
import type { PourOutcome, PourRequest } from './record-pour.ts';
import { checkAvailable, sendPour, tooManyPours } from './record-pour.ts';

/** By the one tap, or by the full form, which asks the server what is available first. */
type Way = 'tap' | 'form';

/** Kept in the history entry, so that a visit outlives a reload. */
type Kept = ReturnType<typeof useLocation>['state'];

/** One member at the bar: who, what is left, and the one pour this page may record. */
export function usePour() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const user = useRouteContext({ from: '/_staff', select: (context) => context.user });
  const state = useLocation({ select: (location) => location.state });
  const [busy, setBusy] = useState<Way | null>(null);
  // A second tap may come before the first has been drawn.
  const underway = useRef(false);
  const { request_id, unanswered, poured } = state;
  const customer = customerOf(state);
  const balance = useLeftOnDevice(customer?.id ?? '', customer?.pours_balance ?? 0);

  const remember = useCallback(
    (change: Partial<Kept>) =>
      navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        state: (previous) => ({ ...previous, ...change }),
      }),
    [navigate],
  );

  const opened = customer !== null && request_id === undefined;
  useEffect(() => {
    if (opened) void remember({ request_id: crypto.randomUUID() });
  }, [opened, remember]);

  const told = (customerId: string, left: number) => {
    queueStore.noteTold(customerId, left);
    void queries.invalidateQueries({ queryKey: orpc.members.key() });
    void queries.invalidateQueries({ queryKey: orpc.pours.key() });
  };

  const finish = (glass: PouredGlass, order: PourOrder) => {
    rememberChoice(order);
    playFeedback('accepted');
    // Replaced: neither going back nor a reload may reach a form whose pour is already counted.
    return remember({ poured: glass, unanswered: undefined });
  };

  const wait = async (pour: PourRequest, attempted: boolean, until: number): Promise<boolean> => {
    if (!customer) return false;
    const member = `${customer.first_name} ${customer.last_name}`;
    const by = { staff_id: user.id, staff: user.first_name };
    const waiting = { ...pour, ...by, member, queued_at: Date.now(), attempted };
    const queued = await queuePour(waiting, customer.pours_balance);
    if (queued === 'waits') {
      const { quantity, location } = pour;
      await finish({ quantity, location, pour_id: null, undo_until: until }, pour);
      return true;
    }
    if (queued === 'beyond_balance' && !attempted) return false;
    // It may have been counted and cannot wait here: only asking again tells.
    await remember({ unanswered: { ...pour, sent_at: until - UNDO_SECONDS * 1000 } });
    failed(null);
    return true;
  };

  const send = async (order: PourOrder, way: Way) => {
    if (!customer || !request_id) return;
    const pour: PourRequest = { ...order, request_id, customer_id: customer.id };
    const sent_at = unanswered?.sent_at ?? Date.now();
    const undo_until = sent_at + UNDO_SECONDS * 1000;
    const reach = async (): Promise<PourOutcome> => {
      if (!navigator.onLine) return { kind: 'unsent', attempted: unanswered !== undefined };
      // A glass that was counted without our knowing is missing from what is available: asking again would refuse
      // the very pour that filled it. The server answers a repeated request with its first result.
      if (way === 'form' && !unanswered) {
        const has = await checkAvailable(customer.id);
        if (has.kind !== 'available') return has;
        queueStore.noteTold(customer.id, has.available);
        const left = leftOnDevice(customer.id, has.available);
        if (order.quantity > left) return { kind: 'too_many', available: left };
      }
      await remember({ unanswered: { ...order, sent_at } });
      return sendPour(pour);
    };
    const outcome = await reach();
    switch (outcome.kind) {
      case 'recorded': {
        const { id: pour_id, status } = outcome.pour;
        const { quantity, location } = order;
        told(customer.id, outcome.pours_balance);
        toast.success('Pour recorded successfully!', { description: poursLeft(outcome.pours_balance) });
        return finish({ quantity, location, pour_id, undo_until, undone: status === 'voided' }, order);
      }
      case 'unsent':
        if (await wait(pour, outcome.attempted, undo_until)) return;
        return playFeedback('refused');
      case 'too_many':
        told(customer.id, outcome.available);
        playFeedback('refused');
        // The form says it itself, under the quantity.
        if (way === 'tap') toast.error(tooManyPours(outcome.available));
        return remember({
          customer: { ...customer, pours_balance: outcome.available },
          unanswered: undefined,
        });
      case 'unanswered':
        return failed(null);
      case 'refused':
        await remember({ unanswered: undefined });
        return failed(outcome.why);
    }
  };

  const record = async (order: PourOrder, way: Way) => {
    if (underway.current || poured) return;
    underway.current = true;
    setBusy(way);
    try {
      await send(order, way);
    } finally {
      underway.current = false;
      setBusy(null);
    }
  };

  /** The same member again: another form, so another request. */
  const again = () => remember({ request_id: crypto.randomUUID(), poured: undefined, unanswered: undefined });

  const undone = (left: number | null) => {
    if (customer && left !== null) told(customer.id, left);
    if (poured) void remember({ poured: { ...poured, undone: true } });
  };

  return { customer, balance, unanswered, poured, requestId: request_id, busy, record, again, undone };
}

function failed(why: string | null): void {
  playFeedback('refused');
  toast.error('Failed to record pour', { description: why ?? undefined });
}

function poursLeft(balance: number): string {
  return balance === 1 ? '1 pour left' : `${balance} pours left`;
}
