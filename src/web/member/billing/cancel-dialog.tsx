import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  LEAVING_REASON_LABELS,
  LEAVING_REASONS,
  type LeavingReason,
} from '../../../domain/reports/leaving-reason.ts';
import { api, orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

interface CardCharges {
  paused: boolean;
  /** The month that has begun is still charged. */
  charging: boolean;
  /** The amount charged at the end for what waits for an invoice, in words; null for none. */
  lastCharge: string | null;
}

interface CancelDialogProps {
  periodEnd: string;
  /** A payment is overdue, so the membership ends at once. */
  overdue: boolean;
  /** How the card is charged; null for a membership at the venue. */
  card: CardCharges | null;
  /** The person who shares the membership, and loses access with it. */
  partner: string | undefined;
  /** Opens the choice of a pause instead; absent if there is already one. */
  onPause?: (() => void) | undefined;
  /** Opens the question whether to skip the month of the next charge; null if that is not possible. */
  skip?: { month: string; open: () => void } | null;
  onClose: () => void;
}

const monthsText = (months: number) => (months === 1 ? 'a month' : `${months} months`);

export function CancelDialog({
  periodEnd,
  overdue,
  partner,
  card,
  onPause,
  skip,
  onClose,
}: CancelDialogProps) {
  const client = useQueryClient();
  const [reason, setReason] = useState<LeavingReason | ''>('');
  const { busy, send } = useSend();
  const cancel = () =>
    send(async () => {
      const { cancel_at } = await api.functions.cancelSubscription(reason ? { reason } : {});
      onClose();
      toast.success('Subscription Cancelled', {
        description: overdue
          ? `You had access until ${dateOfInstant(cancel_at)}.${card ? ' The open invoice was canceled.' : ''}`
          : card?.paused
            ? `Your membership ends on ${dateOfInstant(cancel_at)}.`
            : `${!card || dateOfInstant(cancel_at) === periodEnd ? '' : 'It had just been renewed, so this month is still charged. '}You have access until ${dateOfInstant(cancel_at)}.`,
      });
      // Uses the response, so that the button disappears before it can be pressed again.
      client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), (before) =>
        before?.subscription && !overdue
          ? {
              subscription: {
                ...before.subscription,
                cancel_at_period_end: true,
                current_period_end: cancel_at,
                ends_at: cancel_at,
                next_charge: before.subscription.charge_if_canceled,
              },
            }
          : before,
      );
      void client.invalidateQueries({ queryKey: orpc.functions.getSubscriptionDetails.key() });
      // The end of a membership at the venue.
      if (!card) void client.invalidateQueries({ queryKey: orpc.members.key() });
    }, errorToast('Failed to cancel subscription. Please try again.'));
  const offer = useQuery(orpc.billing.getPause.queryOptions({ enabled: !overdue && onPause !== undefined }));
  return (
    <AlertDialog
      open
      title="Cancel Subscription"
      description={card ? cardText(card, periodEnd, overdue) : venueText(periodEnd, overdue)}
      confirmLabel="Yes, Cancel"
      busyLabel="Canceling..."
      cancelLabel="Keep Membership"
      busy={busy}
      onConfirm={cancel}
      onClose={onClose}
    >
      {partner && (
        <p className="font-semibold">
          {overdue
            ? `${partner} shares your membership, and loses the card and the pours now, too.`
            : `${partner} shares your membership, and loses the card and the pours on ${periodEnd}, too.`}
        </p>
      )}
      {onPause && offer.data?.obstacle === null && (
        <Notice
          title="Just need a break?"
          action={
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="sm" disabled={busy} onClick={onPause}>
                Pause Instead
              </Button>
              {skip && (
                <Button variant="secondary" size="sm" disabled={busy} onClick={skip.open}>
                  Skip {skip.month}
                </Button>
              )}
            </div>
          }
        >
          Pause for up to {monthsText(offer.data.choices.at(-1)?.months ?? 1)}: no charge, and you stay a
          member.
        </Notice>
      )}
      <SelectField
        label="Why are you leaving?"
        optional
        value={reason}
        onChange={(event) => setReason(event.target.value as LeavingReason | '')}
        options={[
          { value: '', label: 'I would rather not say' },
          ...LEAVING_REASONS.map((value) => ({ value, label: LEAVING_REASON_LABELS[value] })),
        ]}
      />
    </AlertDialog>
  );
}

function venueText(periodEnd: string, overdue: boolean): string {
  return overdue
    ? 'Your membership ends now, because a payment is due. You can rejoin anytime.'
    : `You keep your pours until ${periodEnd}, and you can rejoin anytime.`;
}

function cardText({ paused, charging, lastCharge }: CardCharges, periodEnd: string, overdue: boolean) {
  if (overdue) {
    return 'Your membership ends now, because a payment is due. The open invoice is canceled, your card is not charged, and you can rejoin anytime.';
  }
  if (paused) {
    return `Your card won’t be charged again. Your membership ends on ${periodEnd}, and you can rejoin anytime.`;
  }
  const charges = charging
    ? 'Your card is charged for the month that has begun, and then never again.'
    : lastCharge
      ? `Your card is charged ${lastCharge} on ${periodEnd} for changes to your membership, and then never again.`
      : 'Your card won’t be charged again.';
  return `${charges} You keep your pours until ${periodEnd}, and you can rejoin anytime.`;
}
