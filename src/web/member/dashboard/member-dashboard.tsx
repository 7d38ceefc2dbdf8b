import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QrCode, Settings2, Wine } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AvailablePours } from '../../../contract/functions.ts';
import type { Customer, Profile } from '../../../contract/members.ts';
import { pourCount } from '../../../domain/pour.ts';
import { orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { MembershipCard } from '../../brand/membership-card.tsx';
import { PoursMeter } from '../../brand/pours-meter.tsx';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { dateOfInstant, monthOfDay } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { endOf, useSubscription, useUpcomingChange } from '../billing/upcoming-change.ts';
import { PoursSkeleton } from './dashboard-skeleton.tsx';

interface MemberDashboardProps {
  profile: Profile;
  customer: Customer;
}

export function MemberDashboard({ profile, customer }: MemberDashboardProps) {
  const tierLabel = useTierLabel();
  const change = useUpcomingChange();
  return (
    <div className="grid items-start gap-5 sm:gap-6 md:grid-cols-2">
      <div className="flex flex-col gap-4">
        <Link to="/qr-code" className="rounded-xl">
          <MembershipCard
            name={`${profile.first_name} ${profile.last_name}`}
            tier={customer.tier}
            tierLabel={tierLabel(customer.tier)}
            memberSince={monthOfDay(customer.member_since)}
            change={change}
          />
        </Link>
        <LinkButton to="/qr-code" size="lg" block icon={<QrCode size={22} aria-hidden="true" />}>
          Show QR Code
        </LinkButton>
      </div>
      <div className="flex flex-col gap-4">
        <Card title="Pours Remaining" aside={<TierBadge tier={customer.tier} />}>
          <Pours customerId={customer.id} />
        </Card>
        <div className="grid gap-3 min-[22rem]:grid-cols-2">
          <LinkButton
            to="/pours"
            variant="secondary"
            icon={<Wine size={20} aria-hidden="true" className="hidden min-[26rem]:block" />}
          >
            View History
          </LinkButton>
          <LinkButton
            to="/account"
            variant="secondary"
            icon={<Settings2 size={20} aria-hidden="true" className="hidden min-[26rem]:block" />}
          >
            Account
          </LinkButton>
        </div>
      </div>
    </div>
  );
}

function poursNote(
  { pours_when_paid, carried_pours, resets_at }: AvailablePours,
  end: number | null,
): ReactNode {
  if (pours_when_paid > 0) return `${pourCount(pours_when_paid)} more once this month's payment goes through`;
  if (carried_pours > 0) return `Used includes ${pourCount(carried_pours)} from a month that was not paid`;
  return (
    <>
      Resets on your monthly billing date
      <span className="block text-ink">
        {end === null ? dateOfInstant(resets_at) : `Ends with your membership on ${dateOfInstant(end)}`}
      </span>
    </>
  );
}

function Pours({ customerId }: { customerId: string }) {
  const subscription = useSubscription();
  const end = subscription && endOf(subscription);
  const { data, error, isError, isFetching, refetch } = useQuery(
    orpc.functions.getAvailablePours.queryOptions({ input: { customer_id: customerId } }),
  );
  if (data) {
    return (
      <PoursMeter
        available={data.available_pours}
        max={data.tier_max}
        used={data.pours_used}
        note={poursNote(data, end)}
      />
    );
  }
  if (!isError) return <PoursSkeleton />;
  return (
    <ErrorState
      of={error}
      title="Your pours could not be counted"
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  );
}
