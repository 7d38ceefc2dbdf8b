import { useQuery, useQueryClient } from '@tanstack/react-query';
import Gift from 'lucide-react/icons/gift';
import { useState } from 'react';
import type { GivenGlass, GuestGlasses } from '../../../contract/sharing/guest-glasses.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { ShareLink } from './share-link.tsx';

export function GuestsCard() {
  const query = useQuery(orpc.guestGlasses.list.queryOptions());
  return (
    <Card title="A Pour for a Guest">
      <Loaded query={query} failed="We couldn’t load your pours for guests" lines={3}>
        {(overview) => <Guests overview={overview} />}
      </Loaded>
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
  /** The link that was just made, of the glass with this id. */
  const [link, setLink] = useState<{ id: string; url: string } | null>(null);
  const refresh = useRefresh();
  const { busy, send } = useSend();
  const give = () =>
    send(
      async () => setLink(await api.guestGlasses.give({})),
      (error) =>
        toast.error(serverMessage(error) ?? 'We couldn’t make a link. Please try again.', { of: error }),
      refresh,
    );
  if (limit === 0) return <p>Your tier does not include pours for guests.</p>;
  return (
    <>
      <p>
        Treat a guest to one of your pours. They open your link, confirm their age, and show a code at the
        bar. The pour is held for seven days, or until your month ends. If they don’t use it, you get it back.
      </p>
      <p className="mt-2 font-semibold">
        {used} of {limit} given this month
      </p>
      {glasses.length > 0 && (
        <ul className="mt-4 divide-y divide-line" aria-label="Given this month">
          {glasses.map((glass) => (
            <GivenRow
              key={glass.id}
              glass={glass}
              url={link?.id === glass.id ? link.url : null}
              onLink={(url) => setLink(url === null ? null : { id: glass.id, url })}
            />
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
        Give a Pour
      </Button>
      <p className="mt-2 text-ink-muted text-sm">
        {can_give
          ? 'We show the link once, right after you give the pour. You can make a new one later.'
          : used >= limit
            ? 'You have given all of this month’s pours for guests.'
            : 'You have no pours left to give.'}
      </p>
    </>
  );
}

const STATES: Record<GivenGlass['state'], string> = {
  held: 'Waiting for your guest',
  poured: 'Poured',
  withdrawn: 'Taken back',
  expired: 'Not used, returned to you',
};

interface GivenRowProps {
  glass: GivenGlass;
  url: string | null;
  /** Called with a new link, or with null when there is none any more. */
  onLink: (url: string | null) => void;
}

function GivenRow({ glass, url, onLink }: GivenRowProps) {
  const refresh = useRefresh();
  const { busy, send } = useSend();
  const act = (work: () => Promise<void>, failure: string) =>
    send(
      work,
      (error) => {
        const refusal = refusalOf(error, 'GUEST_GLASS_REFUSED');
        const why =
          refusal?.data.reason === 'used' ? ': your guest has already used it' : '. Please try again';
        toast.error(`${failure}${why}.`, { of: error });
      },
      refresh,
    );
  const withdraw = () =>
    act(async () => {
      await api.guestGlasses.withdraw({ id: glass.id });
      onLink(null);
      toast.success('The pour is yours again');
    }, 'We couldn’t take it back');
  const renew = () =>
    act(async () => {
      onLink((await api.guestGlasses.renewLink({ id: glass.id })).url);
      toast.success('New link made', { description: 'The old one no longer works.' });
    }, 'We couldn’t make a new link');
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span>
          {STATES[glass.state]}
          <span className="block text-ink-muted text-sm">
            Given {dateOfInstant(glass.created_at)}
            {glass.state === 'held' && `, until ${dateOfInstant(glass.expires_at)}`}
          </span>
        </span>
        {glass.state === 'held' && (
          <span className="flex flex-wrap gap-2">
            {!url && (
              <Button variant="secondary" size="sm" disabled={busy} onClick={renew}>
                New Link
              </Button>
            )}
            <Button variant="secondary" size="sm" disabled={busy} onClick={withdraw}>
              Take Back
            </Button>
          </span>
        )}
      </div>
      {url && <ShareLink url={url} title="QR code of the link for your guest" />}
    </li>
  );
}
