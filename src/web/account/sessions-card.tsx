import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../../contract/sessions.ts';
import { orpc } from '../api/client.ts';
import { signOut } from '../api/session.ts';
import { dateOfInstant } from '../format/dates.ts';
import { AlertDialog } from '../ui/alert-dialog.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { deviceName } from './device-name.ts';

/** Where the person is signed in, and the ways to end that. */
export function SessionsCard() {
  const client = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery(orpc.sessions.list.queryOptions());
  const ending = useMutation(
    orpc.sessions.delete.mutationOptions({
      onSuccess: () => toast.success('That device is signed out'),
      onError: () => toast.error('That device could not be signed out. Please try again.'),
      onSettled: () => client.invalidateQueries({ queryKey: orpc.sessions.list.key() }),
    }),
  );
  return (
    <Card title="Where You Are Signed In">
      {data ? (
        <>
          <ul className="flex flex-col divide-y divide-line">
            {data.map((session) => (
              <Device
                key={session.id}
                session={session}
                busy={ending.isPending && ending.variables.id === session.id}
                onEnd={() => ending.mutate({ id: session.id })}
              />
            ))}
          </ul>
          <div className="mt-4 border-line border-t pt-5">
            <SignOutEverywhere />
          </div>
        </>
      ) : isError ? (
        <ErrorState
          title="The list of devices could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonLines lines={2} />
      )}
    </Card>
  );
}

interface DeviceProps {
  session: Session;
  busy: boolean;
  onEnd: () => void;
}

function Device({ session, busy, onEnd }: DeviceProps) {
  const name = deviceName(session.user_agent);
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
        <Button variant="secondary" size="sm" busy={busy} aria-label={`Sign out ${name}`} onClick={onEnd}>
          Sign Out
        </Button>
      )}
    </li>
  );
}

function SignOutEverywhere() {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const leaving = useMutation(
    orpc.sessions.deleteOthers.mutationOptions({
      onSuccess: async () => {
        await signOut();
        toast.success('Signed out everywhere');
        await router.navigate({ to: '/login' });
      },
      onError: () => toast.error('Error signing out'),
    }),
  );
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Sign Out Everywhere
      </Button>
      <AlertDialog
        open={asking}
        title="Sign out everywhere?"
        description="Every device is signed out, this one too. Use it when a phone is lost, or when you are not sure who is signed in."
        confirmLabel="Sign Out Everywhere"
        busyLabel="Signing out..."
        busy={leaving.isPending}
        onConfirm={() => leaving.mutate({})}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
