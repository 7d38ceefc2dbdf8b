import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../../contract/auth/sessions.ts';
import { deviceName } from '../../domain/staff/device-name.ts';
import { api, orpc } from '../api/client.ts';
import { signOut } from '../api/sign-out.ts';
import { dateOfInstant } from '../format/dates.ts';
import { AlertDialog } from '../ui/alert-dialog.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';

export function SessionsCard() {
  const query = useQuery(orpc.sessions.list.queryOptions());
  return (
    <Card title="Where You Are Signed In">
      <Loaded query={query} failed="We couldn’t load your devices" lines={2}>
        {(sessions) => (
          <>
            <ul className="flex flex-col divide-y divide-line">
              {sessions.map((session) => (
                <Device key={session.id} session={session} />
              ))}
            </ul>
            <div className="mt-4 border-line border-t pt-5">
              <SignOutEverywhere />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Device({ session }: { session: Session }) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const end = () =>
    send(
      async () => {
        await api.sessions.delete({ id: session.id });
        toast.success('Device signed out');
      },
      (error) => toast.error('We couldn’t sign out the device. Please try again.', { of: error }),
      () => client.invalidateQueries({ queryKey: orpc.sessions.list.key() }),
    );
  const name = session.tablet ? `${session.tablet} (tablet)` : deviceName(session.user_agent, session.app);
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        <p className="text-ink-muted text-sm">
          Signed in {dateOfInstant(session.signed_in_at)}, last used {dateOfInstant(session.last_used_at)}
        </p>
      </div>
      {session.current ? (
        <Badge tone="positive">This device</Badge>
      ) : (
        <Button variant="secondary" size="sm" busy={busy} aria-label={`Sign out ${name}`} onClick={end}>
          Sign Out
        </Button>
      )}
    </li>
  );
}

function SignOutEverywhere() {
  const router = useRouter();
  const [confirming, setConfirming] = useState(false);
  const { busy, send } = useSend();
  const leave = () =>
    send(
      async () => {
        await api.sessions.deleteOthers({});
        await signOut();
        toast.success('Signed out everywhere', { nextPage: true });
        await router.navigate({ to: '/login' });
      },
      (error) => toast.error('Error signing out', { of: error }),
    );
  return (
    <>
      <Button variant="secondary" onClick={() => setConfirming(true)}>
        Sign Out Everywhere
      </Button>
      <AlertDialog
        open={confirming}
        title="Sign out everywhere?"
        description="All your devices will be signed out, including this one. Do this if you lost a device, or if someone else may be signed in."
        confirmLabel="Sign Out Everywhere"
        busyLabel="Signing out..."
        busy={busy}
        onConfirm={leave}
        onClose={() => setConfirming(false)}
      />
    </>
  );
}
