import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '../../../contract/functions.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { formatCents } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { UpdateCard } from './subscription-actions.tsx';
import { TierChoice } from './tier-choice.tsx';
import { TierPreviewDetails } from './tier-preview-details.tsx';

interface ChangeTierDialogProps {
  subscription: Subscription;
  onClose: () => void;
}

/** Choose, see what it costs and brings, agree. Open while it is mounted. */
export function ChangeTierDialog({ subscription, onClose }: ChangeTierDialogProps) {
  const [wanted, setWanted] = useState<string | null>(null);
  const client = useQueryClient();
  const { data: tiers, ...list } = useQuery(orpc.tiers.list.queryOptions());
  const preview = useQuery(
    orpc.billing.previewTier.queryOptions({
      input: { tier: wanted ?? '' },
      enabled: wanted !== null,
      // Each preview replaces the one before at the server, so an older one is good for nothing.
      gcTime: 0,
      staleTime: 0,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  );
  const shown = preview.isFetching ? undefined : preview.data;
  const changing = useMutation(
    orpc.billing.changeTier.mutationOptions({
      onSuccess: (answer) => {
        onClose();
        const pending = answer.subscription?.pending_tier;
        toast.success('Tier changed', {
          description: pending
            ? `You are on ${tierLabel(pending.tier)} from ${dateOfInstant(pending.from)}.`
            : `You are on ${tierLabel(answer.subscription?.tier ?? '')} now.`,
        });
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
        for (const queryKey of [
          orpc.members.getOwn.key(),
          orpc.functions.getAvailablePours.key(),
          orpc.billing.listPayments.key(),
        ]) {
          void client.invalidateQueries({ queryKey });
        }
      },
      onError: (error) => {
        if (refusalOf(error, 'PREVIEW_EXPIRED')) void preview.refetch();
      },
    }),
  );
  const close = () => {
    if (!changing.isPending) onClose();
  };
  const choose = (tier: string) => {
    changing.reset();
    setWanted(tier);
  };

  return (
    <Dialog
      open
      title="Change Tier"
      description={`You are on ${tierLabel(subscription.tier)}. See what another tier costs; nothing is charged until you agree.`}
      onClose={close}
      actions={
        <>
          <Button variant="secondary" onClick={close} disabled={changing.isPending}>
            Not Now
          </Button>
          <Button
            disabled={!shown}
            busy={changing.isPending}
            busyLabel={shown?.kind === 'at_once' ? 'Paying...' : 'One moment...'}
            onClick={() => shown && changing.mutate({ preview_id: shown.id })}
          >
            {!shown
              ? 'Change Tier'
              : shown.kind === 'at_once'
                ? `Pay ${formatCents(shown.charged_now)} and Change`
                : `Change on ${dateOfInstant(shown.effective_at)}`}
          </Button>
        </>
      }
    >
      {tiers ? (
        <TierChoice
          tiers={tiers.filter(({ tier_name }) => tier_name !== subscription.tier)}
          chosen={wanted}
          disabled={changing.isPending}
          onChoose={choose}
        />
      ) : list.isError ? (
        <ErrorState
          title="The tiers could not be loaded"
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      ) : (
        <SkeletonLines lines={3} />
      )}
      {wanted !== null && (
        <div aria-live="polite" className="min-h-36 border-line border-t pt-4">
          {shown ? (
            <TierPreviewDetails preview={shown} tier={subscription.tier} />
          ) : preview.isError && !preview.isFetching ? (
            <ErrorState
              title={serverMessage(preview.error) ?? 'The payment service did not answer.'}
              onRetry={() => void preview.refetch()}
              retrying={preview.isFetching}
            />
          ) : (
            <SkeletonLines lines={3} />
          )}
        </div>
      )}
      {changing.isError && (
        <Notice
          tone="danger"
          role="alert"
          title="The tier was not changed"
          action={refusalOf(changing.error, 'PAYMENT_REFUSED') && <UpdateCard />}
        >
          {serverMessage(changing.error) ??
            'The payment service did not answer. Try again: nothing is charged twice.'}
        </Notice>
      )}
    </Dialog>
  );
}
