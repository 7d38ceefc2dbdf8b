import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Household } from '../../../contract/sharing/household.ts';
import { api, orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { AccountShell } from '../account/account-shell.tsx';
import { GuestsCard } from './guests-card.tsx';
import { InviteCard } from './invite-card.tsx';
import { SharedPours } from './shared-pours.tsx';

export default function HouseholdPage() {
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

function EndSharing({ role, other }: { role: Household['role']; other: string }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const { busy, send } = useSend();
  const end = () =>
    send(
      async () => {
        await api.households.end({});
        setAsks(false);
        toast.success(role === 'holder' ? `You no longer share with ${other}` : 'You left the household');
      },
      errorToast('We couldn’t end the sharing. Please try again.'),
      () =>
        Promise.all([
          client.invalidateQueries({ queryKey: orpc.households.key() }),
          client.invalidateQueries({ queryKey: orpc.members.key() }),
        ]),
    );
  const holder = role === 'holder';
  return (
    <>
      <Button variant="secondary" className="mt-5" onClick={() => setAsks(true)}>
        {holder ? `Stop Sharing with ${other}` : 'Leave This Household'}
      </Button>
      <AlertDialog
        open={asks}
        title={holder ? `Stop sharing with ${other}?` : 'Leave this household?'}
        description={
          holder
            ? `${other} will lose their card and pours right away, and keep their history. All remaining pours go back to you.`
            : 'You’ll lose your card and the shared pours right away, and keep your history.'
        }
        confirmLabel={holder ? 'Stop Sharing' : 'Leave'}
        busyLabel="One moment..."
        cancelLabel={holder ? 'Keep Sharing' : 'Stay'}
        busy={busy}
        onConfirm={end}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
