import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Dues } from '../../../contract/staff/dues.ts';
import type { TierChangeObstacle } from '../../../domain/tier-change.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay } from '../../format/dates.ts';
import { duesPrice, tierPrice } from '../../format/money.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { refreshMembers } from '../refresh-members.ts';

const OBSTACLES: Partial<Record<TierChangeObstacle, string>> = {
  same_tier: 'The member has this tier.',
  ending: 'The membership ends. Keep it first.',
  change_pending: 'Another tier is about to start. Take it back first.',
  paused: 'The membership is paused, or about to be.',
};

interface ChangeTierProps {
  customerId: string;
  tier: string;
  dues: Pick<Dues, 'state' | 'paid_until'>;
  onClose: () => void;
}

/** Changes the tier of a membership at the venue from the next unpaid day on. */
export function ChangeTierDialog({ customerId, tier, dues, onClose }: ChangeTierProps) {
  const queries = useQueryClient();
  const { data: tiers = [] } = useQuery(orpc.tiers.list.queryOptions());
  const others = tiers.filter(({ tier_name }) => tier_name !== tier);
  const [choice, setChoice] = useState('');
  const to = others.find(({ tier_name }) => tier_name === choice) ?? others[0];
  const isLater = (dues.state === 'paid' || dues.state === 'due') && dues.paid_until !== null;
  const { busy, failure, send } = useSend();
  const change = () =>
    send(
      async () => {
        if (!to) return;
        await api.billing.changeTierAtVenue({ customer_id: customerId, tier_name: to.tier_name });
        toast.success(isLater ? 'Tier change scheduled' : 'Tier changed');
        refreshMembers(queries);
        onClose();
      },
      (error) => {
        const refusal = refusalOf(error, 'TIER_CHANGE_REFUSED');
        const text = refusal && OBSTACLES[refusal.data.reason];
        return text ?? serverMessage(error) ?? 'Nothing was changed. Please try again.';
      },
    );
  return (
    <AlertDialog
      open
      tone="primary"
      title="Change Tier"
      description={
        isLater && dues.paid_until !== null
          ? `The new tier begins on ${dateOfDay(dues.paid_until)}, the first day that is not paid. Until then nothing changes. The member gets an email.`
          : 'The new tier begins today, and what is due is its price. The member gets an email.'
      }
      confirmLabel="Change Tier"
      busyLabel="Changing..."
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    >
      <SelectField
        label="New tier"
        value={to?.tier_name ?? ''}
        onChange={(event) => setChoice(event.target.value)}
        options={others.map(({ tier_name, display_name, monthly_price }) => ({
          value: tier_name,
          label: `${display_name}, ${tierPrice(monthly_price)} a month`,
        }))}
      />
      <FormError of={failure} />
    </AlertDialog>
  );
}

interface PendingTierProps {
  customerId: string;
  pending: NonNullable<Dues['pending_tier']>;
  /** Staff may take it back. */
  manages: boolean;
}

/** 'Premier from 7/15/2026, $69 a month', with a button to take it back. */
export function PendingTier({ customerId, pending: { tier, from, price_cents }, manages }: PendingTierProps) {
  const queries = useQueryClient();
  const tierLabel = useTierLabel();
  const { busy, send } = useSend();
  const keep = () =>
    send(async () => {
      await api.billing.keepTierAtVenue({ customer_id: customerId });
      toast.success('Tier change canceled');
      refreshMembers(queries);
    }, errorToast('Nothing was changed. Please try again.'));
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-5 py-4 text-sm sm:px-7">
      <p className="min-w-0 flex-1 basis-60">
        {tierLabel(tier)} from {dateOfDay(from)}, {duesPrice(price_cents)} a month
      </p>
      {manages && (
        <Button variant="quiet" size="sm" busy={busy} busyLabel="One moment..." onClick={keep}>
          Take Back
        </Button>
      )}
    </div>
  );
}
