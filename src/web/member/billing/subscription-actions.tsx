import { useQueryClient } from '@tanstack/react-query';
import CreditCard from 'lucide-react/icons/credit-card';
import { useState } from 'react';
import { api, orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { useSend } from '../../ui/use-send.ts';
import { ManageItem } from './manage.tsx';

const WORDS = {
  renew: { label: 'Keep Membership', result: 'It renews as before.' },
  venue: { label: 'Stay at the Venue', result: 'You pay at the venue, as before.' },
  month: { label: 'Go On by the Month', result: 'It renews as before, and we refund the year.' },
};

interface KeepMembershipProps {
  size?: 'sm';
  /** What the member goes on with: as before a cancellation, at the venue instead of a card, by the month instead of a year. */
  by?: keyof typeof WORDS;
}

/** Withdraws what the member has decided: a cancellation, a card, or a year. */
export function KeepMembershipButton({ size, by = 'renew' }: KeepMembershipProps) {
  const { label, result } = WORDS[by];
  const client = useQueryClient();
  const { busy, send } = useSend();
  const resume = () =>
    send(async () => {
      const answer = await api.billing.resumeSubscription();
      toast.success('Your membership continues', { description: result });
      client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      // The end of a membership at the venue.
      if (!answer.subscription) await client.invalidateQueries({ queryKey: orpc.members.key() });
    }, errorToast('We couldn’t undo your cancellation. Please try again.'));
  return (
    <Button
      size={size}
      variant={by === 'renew' ? 'primary' : 'secondary'}
      busy={busy}
      busyLabel="One moment..."
      onClick={resume}
    >
      {label}
    </Button>
  );
}

/** Leaves for a page of the payment service; busy until the browser has loaded it. */
function useLeave(ask: () => Promise<{ url: string }>, failure: string) {
  const [isLeaving, setLeaving] = useState(false);
  const { busy, send } = useSend();
  useOnReturn(() => setLeaving(false));
  const leave = () =>
    send(async () => {
      window.location.assign((await ask()).url);
      setLeaving(true);
    }, errorToast(failure));
  return { busy: busy || isLeaving, onClick: leave };
}

interface InvoiceButtonProps {
  /** The id of the payment; if absent, the open invoice. */
  invoice?: string;
  label: string;
  variant?: 'secondary' | 'quiet';
  className?: string;
  children: string;
}

export function InvoiceButton({
  invoice,
  label,
  variant = 'quiet',
  className,
  children,
}: InvoiceButtonProps) {
  const leave = useLeave(
    () => api.billing.openInvoice(invoice === undefined ? {} : { invoice_id: invoice }),
    'We couldn’t open the invoice. Please try again.',
  );
  return (
    <Button
      variant={variant}
      size={variant === 'quiet' ? 'sm' : 'md'}
      className={className}
      aria-label={label}
      {...leave}
    >
      {children}
    </Button>
  );
}

const useCardUpdate = () =>
  useLeave(
    () => api.billing.updatePaymentMethod(),
    'We couldn’t open the page to update your card. Please try again.',
  );

export function UpdateCardButton() {
  return (
    <Button variant="secondary" busyLabel="Opening..." {...useCardUpdate()}>
      Update Card
    </Button>
  );
}

export function UpdateCardItem() {
  return (
    <ManageItem icon={CreditCard} busyLabel="Opening..." {...useCardUpdate()}>
      Update Card
    </ManageItem>
  );
}

export function RenewButton() {
  return <LinkButton to="/apply">Renew Membership</LinkButton>;
}
