import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { useSend } from '../../ui/use-send.ts';

/** Withdraws the member's cancellation. `byCard`: of paying at the venue, to go on by card. */
export function KeepMembershipButton({ size, byCard = false }: { size?: 'sm'; byCard?: boolean }) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const resume = () =>
    send(async () => {
      const answer = await api.billing.resumeSubscription();
      toast.success('Your membership continues', {
        description: byCard ? 'You pay at the venue, as before.' : 'It renews as before.',
      });
      client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
      // The end of a membership at the venue.
      if (!answer.subscription) await client.invalidateQueries({ queryKey: orpc.members.key() });
    }, errorToast('We couldn’t undo your cancellation. Please try again.'));
  return (
    <Button size={size} busy={busy} busyLabel="One moment..." onClick={resume}>
      {byCard ? 'Stay at the Venue' : 'Keep Membership'}
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

export function UpdateCardButton({ size }: { size?: 'sm' }) {
  const leave = useLeave(
    () => api.billing.updatePaymentMethod(),
    'We couldn’t open the page to update your card. Please try again.',
  );
  return (
    <Button variant="secondary" size={size} busyLabel="Opening..." {...leave}>
      Update Card
    </Button>
  );
}
