import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { orpc } from '../../../api/client.ts';
import { toast } from '../../../ui/toast.ts';
import type { PourOrder } from './pour-visit.ts';
import { customerOf } from './pour-visit.ts';
import { recordPour } from './record-pour.ts';

/** One member at the bar: who, what is left, and the one pour this page may record. */
export function usePourVisit(pageId: string) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const state = useLocation({ select: (location) => location.state });
  const [busy, setBusy] = useState(false);
  const { request_id, unanswered } = state;
  const customer = customerOf(state);

  /** Kept in the history entry, so that it outlives a reload. */
  const remember = useCallback(
    (change: Pick<typeof state, 'customer' | 'request_id' | 'unanswered'>) =>
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

  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: orpc.members.key() }),
      queries.invalidateQueries({ queryKey: orpc.pours.key() }),
    ]);

  const record = async (order: PourOrder) => {
    if (busy || !customer || !request_id) return;
    setBusy(true);
    const outcome = await recordPour({
      pour: { ...order, request_id, customer_id: customer.id },
      sentBefore: unanswered !== undefined,
      onSend: () => remember({ unanswered: order }),
    });
    if (outcome.kind === 'recorded') {
      const { pours_balance } = outcome;
      toast.success('Pour recorded successfully!', { description: poursLeft(pours_balance) });
      void refresh();
      // Replaced: going back must not reach a form whose pour is already counted.
      await navigate({ to: '/staff/customers/$id', params: { id: pageId }, replace: true, state: {} });
      return;
    }
    if (outcome.kind === 'too_many') {
      await remember({ customer: { ...customer, pours_balance: outcome.available }, unanswered: undefined });
      void refresh();
    } else {
      const lost = outcome.kind === 'unanswered';
      await remember({ unanswered: lost ? order : undefined });
      toast.error('Failed to record pour', lost ? undefined : { description: outcome.why ?? undefined });
    }
    setBusy(false);
  };

  return { customer, unanswered, busy, record };
}

function poursLeft(balance: number): string {
  return balance === 1 ? '1 pour left' : `${balance} pours left`;
}
