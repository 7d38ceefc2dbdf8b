import { useQuery } from '@tanstack/react-query';
import { Link, useRouteContext, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Gift } from '../../../contract/gifts/gifts.ts';
import { orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { giftDayText } from '../../format/gift-text.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AccountShell } from '../account/account-shell.tsx';
import { GiftForm } from './gift-form.tsx';
import { GiftList } from './gift-list.tsx';

/** The page for giving a membership, with earlier gifts. */
export default function GiftPage() {
  const { user } = useRouteContext({ from: '/_member' });
  // The gift whose payment page the buyer returns from.
  const { paid } = useSearch({ from: '/_member/gift' });
  const gifts = useQuery(orpc.gifts.list.queryOptions());
  const tiers = useQuery(orpc.tiers.list.queryOptions());
  return (
    <AccountShell
      title="Gifts"
      lead={
        site.payments === 'on' && (
          <>
            Give someone a membership, or{' '}
            <Link to="/redeem" className="link">
              redeem a gift
            </Link>{' '}
            you were given.
          </>
        )
      }
    >
      <Loaded query={gifts} card lines={8} failed="We couldn’t load your gifts">
        {(bought) => (
          <Loaded query={tiers} card lines={8} failed="We couldn’t load your gifts">
            {(offered) => (
              <>
                {paid && <Paid id={paid} />}
                <GiftList gifts={bought} />
                {site.payments === 'off' ? (
                  <Card title="Give a Membership">
                    <p>
                      You can’t buy a gift here, because this club takes no cards online. Ask at the bar: they
                      can set up a membership for someone.
                    </p>
                  </Card>
                ) : (
                  <GiftForm
                    tiers={offered.filter(({ monthly_price }) => monthly_price > 0)}
                    from={`${user.first_name} ${user.last_name}`.trim()}
                  />
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </AccountShell>
  );
}

function nextStep({ delivery, recipient_email, send_on, sent_at }: Gift): string {
  if (delivery === 'card') return 'Print the card and hand it over.';
  const to = recipient_email ?? 'them';
  if (sent_at) return `We emailed it to ${to}.`;
  return send_on ? `We’ll email it to ${to} on ${giftDayText(send_on)}.` : `We’ll email it to ${to}.`;
}

/** Whether the payment has arrived. Asks Stripe, so that a lost webhook is harmless. */
function Paid({ id }: { id: string }) {
  const gifts = useQuery(orpc.gifts.list.queryOptions({ enabled: false }));
  const check = useQuery(orpc.gifts.check.queryOptions({ input: { id }, retry: false }));
  const { refetch } = gifts;
  const isPaid = check.data !== undefined && check.data.status !== 'ordered';
  useEffect(() => {
    if (isPaid) void refetch();
  }, [isPaid, refetch]);
  if (check.isPending) return <Notice role="status">We’re confirming your payment...</Notice>;
  if (isPaid) {
    return (
      <Notice
        tone="positive"
        role="status"
        title="Thank you, your gift is ready"
        action={
          check.data.delivery === 'card' && (
            <LinkButton to="/gift/$id" params={{ id }} variant="secondary" size="sm">
              Show Card
            </LinkButton>
          )
        }
      >
        {nextStep(check.data)} You can get a full refund until it is redeemed.
      </Notice>
    );
  }
  return (
    <Notice tone="warning" role="status" title="Your payment is not confirmed yet">
      It will appear here as soon as it is. You won’t be charged twice.
    </Notice>
  );
}
