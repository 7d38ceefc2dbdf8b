import { useQuery } from '@tanstack/react-query';
import type { PauseOffer } from '../../../contract/billing.ts';
import type { Subscription } from '../../../contract/functions.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant, monthOfInstant } from '../../format/dates.ts';
import { withTax } from '../../format/money.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toast } from '../../ui/toast.ts';
import { usePause } from './use-pause.ts';

export interface SkippableMonth {
  /** The month of the charge, such as 'January'. */
  name: string;
  choice: PauseOffer['choices'][number];
}

/** The month of the next charge, if the member can skip it by a pause of one month; otherwise null. */
export function useSkippableMonth(subscription: Subscription, enabled: boolean): SkippableMonth | null {
  const offer = useQuery(orpc.billing.getPause.queryOptions({ enabled }));
  const choice = offer.data?.choices.find(({ months }) => months === 1);
  if (!enabled || !choice || choice.from !== subscription.next_charge?.at) return null;
  return { name: monthOfInstant(choice.from), choice };
}

interface SkipDialogProps {
  subscription: Subscription;
  month: SkippableMonth;
  onClose: () => void;
}

export function SkipDialog({ subscription, month: { name, choice }, onClose }: SkipDialogProps) {
  const next = `Your next charge is on ${dateOfInstant(choice.until)}.`;
  const { busy, failure, pause } = usePause(() => {
    onClose();
    toast.success(`${name} is skipped`, { description: next });
  });
  const from = dateOfInstant(choice.from);
  const amount = withTax(subscription.next_charge?.amount ?? subscription.amount, subscription);
  return (
    <AlertDialog
      open
      tone="primary"
      title={`Skip ${name}`}
      description={`Your card is not charged ${amount} on ${from}. You keep your pours until then, and have none in the month after. ${next}`}
      confirmLabel={`Skip ${name}`}
      busyLabel="One moment..."
      cancelLabel="Not Now"
      busy={busy}
      onConfirm={() => pause(choice)}
      onClose={onClose}
    >
      <FormError of={failure} title={`We couldn’t skip ${name}`} />
    </AlertDialog>
  );
}
