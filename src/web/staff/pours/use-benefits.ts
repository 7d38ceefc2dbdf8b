import { useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { BarBenefit } from '../../../contract/benefits.ts';
import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { BarCard } from '../../../contract/members.ts';
import { UNDO_SECONDS } from '../../../domain/pour.ts';
import { api } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { isOnline } from '../../api/online.ts';
import { isServerTimeKnown, serverTime } from '../../api/server-clock.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { queueUse, withdrawQueued } from '../offline-queue/queue.ts';
import { queueStore } from '../offline-queue/queue-store.ts';
import { benefitsAfterQueue, isUse, isWaiting } from '../offline-queue/queued-pour.ts';
import { useQueue } from '../offline-queue/use-queue.ts';
import { refreshMembers } from '../refresh-members.ts';
import { barCardQuery } from './bar-card-query.ts';
import { sendUse, type UseOutcome } from './record-pour.ts';

/** A benefit that was taken on this page. */
interface Taken {
  use_id: string;
  /** Milliseconds since 1970, on this device's clock. */
  undo_until: number;
}

/** A member's benefits at the scan: as the server reported them, less this device's queue; and how to take and undo one. */
export function useBenefits(customer: VerifiedCustomer, bar: BarCard | undefined) {
  const user = useRouteContext({ from: '/_staff', select: (context) => context.user });
  const queries = useQueryClient();
  const { entries, balances } = useQueue();
  const { busy, send: sendOnce } = useSend();
  /** The request of each benefit until its answer is known, so that another tap sends the same. */
  const requests = useRef(new Map<string, string>());
  const [taken, setTaken] = useState<Taken | null>(null);
  const reported = bar?.benefits ?? balances[customer.id]?.benefits ?? [];
  const uses = entries.filter(isUse).filter((it) => it.customer_id === customer.id && isWaiting(it));

  const note = (benefits: BarBenefit[]) => {
    queueStore.noteReport(customer.id, { benefits });
    queries.setQueryData(barCardQuery(customer.id).queryKey, (card) => card && { ...card, benefits });
    refreshMembers(queries);
  };

  const send = async ({ id: benefit_id, words }: BarBenefit) => {
    const request_id = requests.current.get(benefit_id) ?? crypto.randomUUID();
    const attempted = requests.current.has(benefit_id);
    requests.current.set(benefit_id, request_id);
    const input = { request_id, customer_id: customer.id, benefit_id };
    const sent_at = Date.now();
    const outcome: UseOutcome = isOnline() ? await sendUse(input) : { kind: 'unsent', attempted };
    const isUnsent = outcome.kind === 'unsent';
    const entry = {
      ...{ ...input, words, member: `${customer.first_name} ${customer.last_name}` },
      ...{ staff_id: user.id, staff: user.first_name, queued_at: sent_at },
      ...(isServerTimeKnown() && { poured_at: new Date(serverTime(sent_at)).toISOString() }),
      attempted: isUnsent && outcome.attempted,
    };
    if (isUnsent && (await queueUse(entry, reported)) === 'queued') {
      requests.current.delete(benefit_id);
      return playFeedback('accepted');
    }
    if (outcome.kind === 'recorded') {
      requests.current.delete(benefit_id);
      playFeedback('accepted');
      setTaken({ use_id: outcome.use_id, undo_until: sent_at + UNDO_SECONDS * 1000 });
      return note(outcome.benefits);
    }
    if (outcome.kind === 'refused') requests.current.delete(benefit_id);
    playFeedback('refused');
    const reason = outcome.kind === 'refused' ? outcome.reason : null;
    toast.error(`Not taken: ${words}`, { description: reason ?? 'Try again: it will not count twice.' });
    if (outcome.kind === 'refused') refreshMembers(queries);
  };

  const undo = async (use_id: string, reason?: string) => {
    const { benefits } = await api.benefits.void({ id: use_id, ...(reason && { reason }) }, inTime());
    toast.success('Benefit undone');
    note(benefits);
  };

  return {
    benefits: benefitsAfterQueue(reported, customer.id, entries),
    waiting: uses,
    taken,
    busy,
    take: (benefit: BarBenefit) =>
      sendOnce(
        () => send(benefit),
        (error) => {
          throw error;
        },
      ),
    undo,
    withdraw: withdrawQueued,
  };
}
