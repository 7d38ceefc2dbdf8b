import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** Choosing a tier, its preview, and the change itself (`docs/rules/billing.md`, "Billing: changing the tier"). */
export function useTierChange(onChanged: () => void) {
  const client = useQueryClient();
  const tierLabel = useTierLabel();
  const [chosenTier, setChosenTier] = useState<string | null>(null);

  const preview = useQuery(
    orpc.billing.previewTier.queryOptions({
      input: { tier: chosenTier ?? '' },
      enabled: chosenTier !== null,
      // On the server each preview replaces the previous one, so an old one is useless.
      gcTime: 0,
      staleTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  );

  const { busy, failure, fail, send } = useSend();
  const change = (preview_id: string) =>
    send(
      async () => {
        const answer = await api.billing.changeTier({ preview_id });
        onChanged();
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
        // Nothing has changed yet: the notice on the page explains the next step.
        if (answer.subscription?.approval) return;
        const pending = answer.subscription?.pending_tier;
        toast.success('Tier changed', {
          description: pending
            ? `You are on ${tierLabel(pending.tier)} from ${dateOfInstant(pending.from)}.`
            : `You are now on ${tierLabel(answer.subscription?.tier ?? '')}.`,
        });
        for (const queryKey of [orpc.members.getOwn.key(), orpc.billing.listPayments.key()]) {
          void client.invalidateQueries({ queryKey });
        }
      },
      (error) => {
        if (refusalOf(error, 'PREVIEW_EXPIRED')) void preview.refetch();
        return (
          serverMessage(error) ??
          'The payment service did not respond. Please try again: you will not be charged twice.'
        );
      },
    );

  const choose = (tier: string) => {
    fail('');
    setChosenTier(tier);
  };

  return { chosenTier, choose, preview, change, busy, failure };
}
