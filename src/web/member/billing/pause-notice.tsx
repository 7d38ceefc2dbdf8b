import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '../../../contract/functions.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { withTax } from '../../format/money.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import { UpdateCardButton } from './subscription-actions.tsx';

/** An upcoming pause, with a button to withdraw it; or a current one, with a button to end it and the charge for that. */
export function PauseNotice({ subscription }: { subscription: Subscription }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [extending, setExtending] = useState(false);
  const { pause, next_charge, return_amount, ends_at } = subscription;
  const offer = useQuery(orpc.billing.getPause.queryOptions({ enabled: pause !== null }));
  const longer = offer.data?.pause?.extended_until ?? null;
  const amount = return_amount ?? 0;
  const { busy, failure, send } = useSend();
  const end = () =>
    send(
      async () => {
        const answer = await api.billing.endPause({ amount });
        setAsks(false);
        if (answer.subscription?.pause?.begun)
          toast.info('Your payment is on its way', {
            description: 'You’ll be back as soon as it arrives, and you won’t be charged again.',
          });
        else toast.success(pause?.begun ? 'Welcome back' : 'Your membership is not paused');
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
        void client.invalidateQueries({ queryKey: orpc.members.key() });
        void client.invalidateQueries({ queryKey: orpc.billing.key() });
      },
      (error) =>
        pause?.begun
          ? (serverMessage(error) ?? 'Please try again: you will not be charged twice.')
          : errorToast('We couldn’t cancel the pause. Please try again.')(error),
    );
  if (!pause) return null;
  const until = pause.until === null ? null : dateOfInstant(pause.until);
  const price = (cents: number) => withTax(cents, subscription);
  const charged =
    until && next_charge ? `We’ll charge your card ${price(next_charge.amount)} on ${until}.` : '';
  const extend = longer !== null && pause.until !== null && (
    <>
      <Button variant="secondary" size="sm" disabled={busy} onClick={() => setExtending(true)}>
        Pause One More Month
      </Button>
      {extending && <ExtendDialog until={pause.until} longer={longer} onClose={() => setExtending(false)} />}
    </>
  );
  if (!pause.begun) {
    return (
      <Notice
        title={`Paused from ${dateOfInstant(pause.from)}${until ? ` to ${until}` : ''}`}
        action={
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" busy={busy} busyLabel="One moment..." onClick={end}>
              Don’t Pause
            </Button>
            {extend}
          </div>
        }
      >
        You’ll keep your pours until {dateOfInstant(pause.from)}. {charged}
      </Notice>
    );
  }
  const canReturn = until !== null && ends_at === null;
  return (
    <Notice
      tone="warning"
      title={until ? `Your membership is paused until ${until}` : 'Your membership is paused'}
      action={
        canReturn && (
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" onClick={() => setAsks(true)}>
              Come Back Now
            </Button>
            {extend}
          </div>
        )
      }
    >
      {ends_at !== null && !next_charge
        ? `It ends on ${dateOfInstant(ends_at)}, and you won’t be charged again.`
        : `You won’t be charged, and you have no pours until then. ${charged}`}
      <AlertDialog
        open={asks}
        tone="primary"
        title="Come Back Now"
        description={`${amount === 0 ? 'Nothing is charged' : `Your card is charged ${price(amount)}`} today, and you get all of your pours right away. From then on, your membership renews on this day each month.`}
        confirmLabel={amount === 0 ? 'Come Back' : `Pay ${price(amount)}`}
        busyLabel="Paying..."
        cancelLabel="Stay Paused"
        busy={busy}
        onConfirm={end}
        onClose={() => setAsks(false)}
      >
        <FormError
          of={failure}
          title="You are still paused"
          action={refusalOf(failure.error, 'PAYMENT_REFUSED') && <UpdateCardButton />}
        />
      </AlertDialog>
    </Notice>
  );
}
