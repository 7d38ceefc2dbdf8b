import { useQuery } from '@tanstack/react-query';
import type { Household } from '../../../contract/sharing/household.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { EndSharing } from './end-sharing.tsx';
import { GuestsCard } from './guests-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { SharedPours } from './shared-pours.tsx';

/** The people who share a member's glasses: a partner, and guests. */
export function HouseholdPage() {
  const { data, error, isFetching, refetch } = useQuery(orpc.households.get.queryOptions());
  return (
    <PageShell
      title="Share Your Glasses"
      lead="With the person you live with, and with guests."
      back={<BackLink to="/dashboard">Back to Dashboard</BackLink>}
    >
      {data ? (
        <HouseholdCards household={data} />
      ) : (
        <Card title="Household">
          {error ? (
            <ErrorState
              of={error}
              title="Your household could not be loaded"
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          ) : (
            <SkeletonLines lines={4} />
          )}
        </Card>
      )}
      <GuestsCard />
    </PageShell>
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
          ? `You have shared your membership with ${other.first_name} ${other.last_name} since ${since}. You share one pool of glasses, and only you pay.`
          : `You have shared ${other.first_name} ${other.last_name}'s membership since ${since}. You share one pool of glasses and pay nothing.`}
      </p>
      <SharedPours pours={household.pours} other={other.first_name} />
      <EndSharing role={role} other={other.first_name} />
    </Card>
  );
}
