import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BarDevice } from '../../../contract/staff/bar-devices.ts';
import { api, orpc } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { OpenTabletDialog } from './open-tablet-dialog.tsx';

/** The shared tablets at the bar, and making this browser one. */
export function TabletsCard() {
  const query = useQuery(orpc.barDevices.list.queryOptions());
  const [opening, setOpening] = useState(false);
  const [ending, setEnding] = useState<BarDevice | null>(null);
  return (
    <Card title="Shared Tablets">
      <p className="max-w-[60ch] text-ink-muted">
        Staff share a tablet at the bar: each types their own four digits, and the history shows who poured.
        It can only be used for work at the bar.
      </p>
      <Button variant="secondary" size="sm" className="mt-4" onClick={() => setOpening(true)}>
        Make This a Shared Tablet
      </Button>
      <Loaded query={query} failed="We couldn’t load the tablets" lines={2} className="mt-4">
        {(data) =>
          data.length > 0 && (
            <ul className="mt-4 divide-y divide-line border-line border-t">
              {data.map((tablet) => (
                <Row key={tablet.id} tablet={tablet} onEnd={() => setEnding(tablet)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {opening && <OpenTabletDialog onClose={() => setOpening(false)} />}
      {ending && (
        <ActDialog
          title={`Sign out ${ending.name}?`}
          description="Anyone working on it will be signed out right away. It won’t ask for PINs until someone makes it a shared tablet again."
          confirmLabel="Sign Out"
          busyLabel="Signing out..."
          act={async () => {
            await api.barDevices.end({ id: ending.id });
            return `${ending.name} is signed out`;
          }}
          failed="We couldn’t sign the tablet out. Please try again."
          reload={orpc.barDevices.list.key()}
          onClose={() => setEnding(null)}
        />
      )}
    </Card>
  );
}

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {formatDateTime(at)}
  </time>
);

function Row({ tablet, onEnd }: { tablet: BarDevice; onEnd: () => void }) {
  const { name, opened_by, opened_at, last_used_at, used_by, idle_minutes } = tablet;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="break-words">{name}</span>
          {used_by && <Badge tone="positive">{used_by} is pouring</Badge>}
        </p>
        <p className="text-ink-muted text-sm">
          Opened by {opened_by}, <Time at={opened_at} />.{' '}
          {last_used_at ? (
            <>
              Last PIN <Time at={last_used_at} />.
            </>
          ) : (
            'No PIN used yet.'
          )}{' '}
          Locks after {idle_minutes === 1 ? 'a minute' : `${idle_minutes} minutes`} without use.
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`Sign out ${name}`} onClick={onEnd}>
        Sign Out
      </Button>
    </li>
  );
}
