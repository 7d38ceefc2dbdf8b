import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '../../../contract/functions.ts';
import { formatAmount } from '../../../domain/money.ts';
import { orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { LoadError, Loaded } from '../../ui/loaded.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { UpdateCardButton } from './subscription-actions.tsx';
import { TierChoice } from './tier-choice.tsx';
import { TierPreviewDetails } from './tier-preview-details.tsx';
import { useTierChange } from './use-tier-change.ts';

interface ChangeTierDialogProps {
  subscription: Subscription;
  onClose: () => void;
}

/** On a small phone the cost is below the window, while the button already names it. */
const scrollIntoView = (cost: HTMLElement | null) => cost?.scrollIntoView({ block: 'nearest' });

/** Choosing a tier, reviewing its cost and agreeing. The dialog is open while mounted. */
export function ChangeTierDialog({ subscription, onClose }: ChangeTierDialogProps) {
  const { chosenTier, choose, preview, change, busy, failure } = useTierChange(onClose);
  const tierLabel = useTierLabel();
  const shown = preview.isFetching ? undefined : preview.data;
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open
      title="Change Tier"
      description={`You are on ${tierLabel(subscription.tier)}. Choose another tier to see its price. Nothing is charged until you confirm.`}
      onClose={close}
      actions={
        <>
          <Button variant="secondary" onClick={close} disabled={busy}>
            Not Now
          </Button>
          <Button
            disabled={!shown}
            busy={busy}
            busyLabel={shown?.kind === 'at_once' ? 'Paying...' : 'Changing...'}
            onClick={() => shown && change(shown.id)}
          >
            {!shown
              ? 'Change Tier'
              : shown.kind === 'at_once' && shown.charged_now === 0
                ? 'Change Tier'
                : shown.kind === 'at_once'
                  ? `Pay ${formatAmount(shown.charged_now, shown.currency)}`
                  : `Change on ${dateOfInstant(shown.effective_at)}`}
          </Button>
        </>
      }
    >
      <OtherTiers currentTier={subscription.tier} chosen={chosenTier} disabled={busy} onChoose={choose} />
      {chosenTier !== null && (
        <div aria-live="polite" className="min-h-36 border-line border-t pt-4">
          {shown ? (
            <div key={shown.id} ref={scrollIntoView}>
              <TierPreviewDetails preview={shown} tier={subscription.tier} />
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

function OtherTiers({ currentTier, ...choice }: OtherTiersProps) {
  const query = useQuery(orpc.tiers.list.queryOptions());
  return (
    <Loaded query={query} failed="We couldn’t load the tiers" lines={3}>
      {(tiers) => (
        <TierChoice tiers={tiers.filter(({ tier_name }) => tier_name !== currentTier)} {...choice} />
      )}
    </Loaded>
  );
}
