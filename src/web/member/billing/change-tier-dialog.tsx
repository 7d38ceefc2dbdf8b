import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { TierPreview } from '../../../contract/billing.ts';
import type { Subscription } from '../../../contract/functions.ts';
import { formatAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { perMonth, priceNote, tierPrice } from '../../format/money.ts';
import { tierHolds } from '../../format/tier-holds.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { LoadError, Loaded } from '../../ui/loaded.tsx';
import { moveByRow } from '../../ui/move-by-row.ts';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { UpdateCardButton } from './subscription-actions.tsx';

interface ChangeTierDialogProps {
  subscription: Subscription;
  onClose: () => void;
}

/** On a small phone the cost is below the window, while the button already names it. */
const scrollIntoView = (cost: HTMLElement | null) => cost?.scrollIntoView({ block: 'nearest' });

export function ChangeTierDialog({ subscription, onClose }: ChangeTierDialogProps) {
  const { chosenTier, choose, preview, change, busy, failure } = useTierChange(onClose);
  const tierLabel = useTierLabel();
  const offer = preview.isFetching ? undefined : preview.data;
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      title="Change Tier"
      description={`You are on ${tierLabel(subscription.tier)}. Choose another tier to see its price. Nothing is charged until you confirm.`}
      onClose={close}
      actions={
        <>
          <Button variant="secondary" onClick={close} disabled={busy}>
            Not Now
          </Button>
          <Button
            disabled={!offer}
            busy={busy}
            busyLabel={offer?.kind === 'at_once' ? 'Paying...' : 'Changing...'}
            onClick={() => offer && change(offer.id)}
          >
            {!offer
              ? 'Change Tier'
              : offer.kind === 'at_once' && offer.charged_now === 0
                ? 'Change Tier'
                : offer.kind === 'at_once'
                  ? `Pay ${formatAmount(offer.charged_now, offer.currency)}`
                  : `Change on ${dateOfInstant(offer.effective_at)}`}
          </Button>
        </>
      }
    >
      <OtherTiers currentTier={subscription.tier} chosen={chosenTier} disabled={busy} onChoose={choose} />
      {chosenTier !== null && (
        <div aria-live="polite" className="min-h-36 border-line border-t pt-4">
          {offer ? (
            <div key={offer.id} ref={scrollIntoView}>
              <TierPreviewDetails preview={offer} tier={subscription.tier} />
            </div>
          ) : preview.isError && !preview.isFetching ? (
            <LoadError
              query={preview}
              title={serverMessage(preview.error) ?? 'The payment service did not respond'}
            />
          ) : (
            <SkeletonLines lines={3} />
          )}
        </div>
      )}
      <FormError
        of={failure}
        title="We couldn’t change your tier"
        action={refusalOf(failure.error, 'PAYMENT_REFUSED') && <UpdateCardButton />}
      />
    </Dialog>
  );
}

interface OtherTiersProps {
  currentTier: string;
  chosen: string | null;
  disabled: boolean;
  onChoose: (tier: string) => void;
}

function OtherTiers({ currentTier, chosen, disabled, onChoose }: OtherTiersProps) {
  const name = useId();
  const query = useQuery(orpc.tiers.list.queryOptions());
  return (
    <Loaded query={query} failed="We couldn’t load the tiers" lines={3}>
      {(tiers) => (
        <fieldset
          disabled={disabled}
          className="flex flex-col gap-2 lying:grid lying:grid-cols-2"
          onKeyDown={moveByRow}
        >
          <legend className="sr-only">Tier</legend>
          {tiers
            .filter(({ tier_name }) => tier_name !== currentTier)
            .map((tier) => (
              <Choice
                key={tier.tier_name}
                name={name}
                checked={chosen === tier.tier_name}
                onChoose={() => onChoose(tier.tier_name)}
                label={tier.display_name}
                detail={`${tierPrice(tier.monthly_price)} a month${priceNote && ` ${priceNote}`}, ${pourCount(tier.monthly_pours)}`}
                notes={tierHolds(tier)}
              />
            ))}
        </fieldset>
      )}
    </Loaded>
  );
}

/** '$7.09 today, 4 more pours until 12/21/2026, 20 a month from then' */
function upgradeSummary(preview: TierPreview): string {
  const { charged_now, charged_later, currency, added_glasses, monthly_glasses, next_billing_at } = preview;
  const more =
    added_glasses === 0 ? 'no more pours' : `${added_glasses} more ${added_glasses === 1 ? 'pour' : 'pours'}`;
  const charge =
    charged_later > 0
      ? `${formatAmount(charged_later, currency)} added to your next payment`
      : `${formatAmount(charged_now, currency)} today`;
  return `${charge}, ${more} until ${dateOfInstant(next_billing_at)}, ${monthly_glasses} a month from then`;
}

/** What the member agrees to: the cost of a tier change now and later, and the pours after it. `tier` is the present one. */
function TierPreviewDetails({ preview, tier }: { preview: TierPreview; tier: string }) {
  const tierLabel = useTierLabel();
  const { kind, next_amount, next_billing_at, glasses_now, glasses_then, monthly_glasses } = preview;
  const balance = ({ available_pours, period_pours }: typeof glasses_now) =>
    `${available_pours} of ${period_pours}`;
  const day = dateOfInstant(next_billing_at);
  const next = `${tierLabel(preview.tier)}, ${perMonth(next_amount, preview)}, ${pourCount(monthly_glasses)}`;
  if (kind === 'at_once') {
    return (
      <>
        <p className="mb-4 text-pretty font-semibold">{upgradeSummary(preview)}.</p>
        <DescriptionList
          items={[
            {
              term: 'Pours left this period',
              detail: `${balance(glasses_then)}, instead of ${balance(glasses_now)}`,
            },
            { term: `From ${day}`, detail: next },
          ]}
        />
      </>
    );
  }
  return (
    <DescriptionList
      items={[
        { term: 'Charged now', detail: 'Nothing' },
        { term: `Until ${day}`, detail: `${tierLabel(tier)}, with ${balance(glasses_now)} pours left` },
        { term: `From ${day}`, detail: next },
      ]}
    />
  );
}

/** Choosing a tier, its preview, and the change itself (`docs/rules/billing.md`, "Billing: changing the tier"). */
function useTierChange(onChanged: () => void) {
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
