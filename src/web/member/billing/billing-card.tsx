import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { CardBilling } from './card-billing.tsx';
import { useDuePaymentCheck } from './payment-due.tsx';
import { VenueBilling, type VenueBillingProps } from './venue-billing.tsx';

/** The billing of the signed-in member, by card or at the venue. */
export function BillingCard(props: Omit<VenueBillingProps, 'payment'>) {
  const query = useQuery(orpc.functions.getSubscriptionDetails.queryOptions({ input: {} }));
  const subscription = query.data?.subscription ?? null;
  useDuePaymentCheck(subscription);
  const payment = query.data?.year_payment;
  if (subscription)
    return <CardBilling subscription={subscription} payment={payment} partner={props.partner} />;
  if (query.data) return <VenueBilling {...props} payment={payment} />;
  return (
    <Card title="Billing">
      <Loaded query={query} failed="We couldn’t load your billing details" lines={4}>
        {() => null}
      </Loaded>
    </Card>
  );
}
