import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Subscription } from '../../../contract/functions.ts';
import type { AvailablePours } from '../../../contract/members.ts';
import { isOverdue } from '../../../domain/billing.ts';
import { declineReason } from '../../../domain/membership/collection.ts';
import { paymentMethodLabel } from '../../../domain/payment-method.ts';
import { pourCount } from '../../../domain/pour.ts';
import { orpc } from '../../api/client.ts';
import { serverTime } from '../../api/server-clock.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { InvoiceButton, UpdateCardButton } from './subscription-actions.tsx';

/** A due payment, what came of a new payment method, and what to do about it. Renders nothing unless one is due. */
export function PaymentDueNotice({
  subscription,
  pours = null,
}: {
  subscription: Subscription;
  pours?: AvailablePours | null;
}) {
  if (!isOverdue(subscription.status)) return null;
  const { title, text, confirm } = outcomeText(subscription.collection);
  return (
    <Notice
      tone="warning"
      title={title}
      action={
        <div className="flex flex-wrap gap-3">
          {!confirm && <UpdateCardButton />}
          <InvoiceButton
            variant="secondary"
            label={confirm ? 'Confirm Payment: the open invoice' : 'Pay Now: the open invoice'}
          >
            {confirm ? 'Confirm Payment' : 'Pay Now'}
          </InvoiceButton>
        </div>
      }
    >
      {text} {untilText(subscription, pours)}
    </Notice>
  );
}

function outcomeText(collection: Subscription['collection']) {
  const failed = { title: 'Your last payment didn’t go through', confirm: false };
  if (!collection)
    return { ...failed, text: 'Update your card, and we charge it right away. Or pay the open invoice.' };
  const method = paymentMethodLabel(collection.method);
  switch (collection.state) {
    case 'under_way':
      return { ...failed, text: `We’re charging ${method} now. With a bank account, this takes a few days.` };
    case 'authentication':
      return {
        title: 'Your bank asks you to confirm the payment',
        confirm: true,
        text: `Confirm the payment with ${method} on the page of the invoice.`,
      };
    case 'declined':
      return {
        title: 'Your new payment method was declined',
        confirm: false,
        text: `${method} was declined: ${declineReason(collection.code)}. Add another one, and we charge it right away.`,
      };
  }
}

function untilText({ grace_until }: Subscription, pours: AvailablePours | null): string {
  if (grace_until === null || grace_until * 1000 <= serverTime())
    return 'Your pours are on hold until it is paid.';
  const share =
    pours && pours.pours_when_paid > 0
      ? ` Until it is paid, you have ${pours.period_pours} of this month’s ${pourCount(pours.period_pours + pours.pours_when_paid)}.`
      : '';
  return `You keep your pours until ${dateOfInstant(grace_until)}.${share} If it isn’t paid by then, your membership ends and the open invoice is canceled.`;
}

/** Compares with Stripe once while a payment is due, so that a card just updated there is seen, and reloads the details. */
export function useDuePaymentCheck(subscription: Subscription | null): void {
  const client = useQueryClient();
  const due = subscription !== null && isOverdue(subscription.status);
  const wasDue = useRef(false);
  const { data } = useQuery({
    ...orpc.functions.verifySubscriptionStatus.queryOptions({ input: {} }),
    enabled: due,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  useEffect(() => {
    if (data) void client.invalidateQueries({ queryKey: orpc.functions.getSubscriptionDetails.key() });
  }, [client, data]);
  useEffect(() => {
    if (wasDue.current && !due && subscription?.status === 'active')
      toast.success('Your payment went through');
    wasDue.current = due;
  }, [due, subscription]);
}
