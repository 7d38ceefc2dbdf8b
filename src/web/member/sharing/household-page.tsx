import { useQuery } from '@tanstack/react-query';
import type { Household } from '../../../contract/sharing/household.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { AccountShell } from '../account/account-shell.tsx';
import { EndSharing } from './end-sharing.tsx';
import { GuestsCard } from './guests-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { SharedPours } from './shared-pours.tsx';

/** The people who share a member's glasses: a partner, and guests. */
export function HouseholdPage() {
  const { data, error, isFetching, refetch } = useQuery(orpc.households.get.queryOptions());
  return (
    <AccountShell title="Sharing" lead="Share your pours with the person you live with, and with guests.">
      {data ? (
        <HouseholdCards household={data} />
      ) : (
        <Card title="Household">
          {error ? (
            <ErrorState
              of={error}
              title="We couldn’t load your household"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          ) : (
            <SkeletonLines lines={4} />
          )}
        </Card>
      )}
      <GuestsCard />
    </AccountShell>
  );
}

function HouseholdCards({ household }: { household: Household }) {
  const { role, other } = household;
  if (!other) return <InviteCard household={household} />;
  const since = dateOfInstant(other.since);
  return (
    <Card title="Household">
      <p>
        {role === 'holder'
          ? `You have shared your membership with ${other.first_name} ${other.last_name} since ${since}. You share the same monthly pours, and only you pay.`
          : `You have shared ${other.first_name} ${other.last_name}’s membership since ${since}. You share the same monthly pours and pay nothing.`}
      </p>
      <SharedPours pours={household.pours} other={other.first_name} />
      <EndSharing role={role} other={other.first_name} />
    </Card>
  );
}
