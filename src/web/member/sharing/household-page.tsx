import { useQuery } from '@tanstack/react-query';
import type { Household } from '../../../contract/sharing/household.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { AccountShell } from '../account/account-shell.tsx';
import { EndSharing } from './end-sharing.tsx';
import { GuestsCard } from './guests-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { SharedPours } from './shared-pours.tsx';

/** The people who share a member's glasses: a partner, and guests. */
export function HouseholdPage() {
  const query = useQuery(orpc.households.get.queryOptions());
  return (
    <AccountShell title="Sharing" lead="Share your pours with the person you live with, and with guests.">
      <Loaded query={query} card="Household" lines={4} failed="We couldn’t load your household">
        {(household) => <HouseholdCards household={household} />}
      </Loaded>
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
