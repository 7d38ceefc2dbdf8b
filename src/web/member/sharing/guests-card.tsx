import { useQuery, useQueryClient } from '@tanstack/react-query';
import Gift from 'lucide-react/icons/gift';
import { useState } from 'react';
import type { GivenGlass, GuestGlasses } from '../../../contract/sharing/guest-glasses.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { ShareLink } from './share-link.tsx';

/** This month's guest glasses: give one, pass on its link, and withdraw it until poured. */
export function GuestsCard() {
  const { data, error, isFetching, refetch } = useQuery(orpc.guestGlasses.list.queryOptions());
  return (
    <Card title="A Glass for a Guest">
      {data ? (
        <Guests overview={data} />
      ) : error ? (
        <ErrorState
          of={error}
          title="Your glasses for guests could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonLines lines={3} />
      )}
    </Card>
  );
}

function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: orpc.guestGlasses.key() }),
      client.invalidateQueries({ queryKey: orpc.members.key() }),
    ]);
}

function Guests({ overview: { limit, used, can_give, glasses } }: { overview: GuestGlasses }) {
  const [url, setUrl] = useState<string | null>(null);
  const refresh = useRefresh();
  const { busy, send } = useSend();
  const give = () =>
    send(
      async () => setUrl((await api.guestGlasses.give({})).url),
      (error) => toast.error(serverMessage(error) ?? 'That did not work. Please try again.', { of: error }),
      refresh,
    );
  if (limit === 0) return <p>Your tier does not include glasses for guests.</p>;
  return (
    <>
      <p>
        Give one of your glasses to someone you like: they follow a link, confirm that they are old enough,
        and show a code at the bar. It is kept for them for seven days, at most until your month ends; then it
        is yours again.
      </p>
      <p className="mt-2 font-semibold">
        {used} of {limit} given this month
      </p>
      {url && <ShareLink url={url} title="QR code of the link for your guest" />}
      {glasses.length > 0 && (
        <ul className="mt-4 divide-y divide-line" aria-label="Given this month">
          {glasses.map((glass) => (
            <GivenRow key={glass.id} glass={glass} onWithdrawn={() => setUrl(null)} />
          ))}
        </ul>
      )}
      <Button
        className="mt-4"
        icon={<Gift size={20} aria-hidden="true" />}
        busy={busy}
        busyLabel="One moment..."
        disabled={!can_give}
        onClick={give}
      >
        Give a Glass
      </Button>
      {!can_give && (
        <p className="mt-2 text-ink-muted text-sm">
          {used >= limit
            ? 'You have given all of this month’s guest glasses.'
            : 'There is no glass left to give.'}
        </p>
      )}
    </>
  );
}

const STATES: Record<GivenGlass['state'], string> = {
  held: 'Waiting for your guest',
  poured: 'Poured',
  withdrawn: 'Taken back',
  expired: 'Not used, yours again',
};

function GivenRow({ glass, onWithdrawn }: { glass: GivenGlass; onWithdrawn: () => void }) {
  const refresh = useRefresh();
  const { busy, send } = useSend();
  const withdraw = () =>
    send(
      async () => {
        await api.guestGlasses.withdraw({ id: glass.id });
        onWithdrawn();
        toast.success('The glass is yours again');
      },
      (error) =>
        toast.error(
          refusalOf(error, 'GUEST_GLASS_REFUSED') ? 'Your guest already had it' : 'It was not taken back',
          { of: error },
        ),
      refresh,
    );
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-2">
      <span>
        {STATES[glass.state]}
        <span className="block text-ink-muted text-sm">
          Given {dateOfInstant(glass.created_at)}
          {glass.state === 'held' && `, until ${dateOfInstant(glass.expires_at)}`}
        </span>
      </span>
      {glass.state === 'held' && (
        <Button variant="secondary" size="sm" busy={busy} busyLabel="One moment..." onClick={withdraw}>
          Take Back
        </Button>
      )}
    </li>
  );
}
