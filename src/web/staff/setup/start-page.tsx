import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState } from 'react';
import { formatPrice } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { orpc } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { PaymentsCard } from './payments-card.tsx';

const STEPS = ['tiers', 'payments'] as const;

export default function StartPage() {
  const { user } = useRouteContext({ from: '/_staff' });
  const steps = may(user, 'manage_money') ? STEPS : [];
  const [at, setAt] = useState(0);
  const step = steps[at];
  const next = () => setAt(at + 1);
  return (
    <PageShell title="Getting Started" lead={`Welcome to ${site.club_name}. You can do all of this later.`}>
      {step === 'tiers' && <TiersStep onNext={next} />}
      {step === 'payments' && <PaymentsCard onNext={next} />}
      {!step && (
        <Card title="You’re ready">
          <p>Your dashboard shows what is left to do.</p>
          <LinkButton to="/staff/dashboard" className="mt-5 self-start">
            Go to the Dashboard
          </LinkButton>
        </Card>
      )}
    </PageShell>
  );
}

function TiersStep({ onNext }: { onNext: () => void }) {
  const query = useQuery(orpc.tierSettings.list.queryOptions());
  return (
    <Card title="What You Sell">
      <p>These tiers are on offer. Change their names, prices and pours before members join.</p>
      <Loaded query={query} failed="We couldn’t load the tiers" lines={4}>
        {(data) => (
          <ul className="my-5 divide-y divide-line">
            {data
              .filter((tier) => tier.is_active)
              .map(({ tier_name, display_name, monthly_price_cents, monthly_pours }) => (
                <li key={tier_name} className="flex flex-wrap justify-between gap-x-4 py-2">
                  <span className="font-semibold">{display_name}</span>
                  <span>
                    {formatPrice(monthly_price_cents, site.currency)} per month, {pourCount(monthly_pours)}
                  </span>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
      <div className="flex flex-wrap gap-3">
        <LinkButton to="/staff/tiers">Change Tiers</LinkButton>
        <Button variant="secondary" onClick={onNext}>
          Later
        </Button>
      </div>
    </Card>
  );
}
