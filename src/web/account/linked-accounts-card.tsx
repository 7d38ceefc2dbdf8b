import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { LinkedAccount } from '../../contract/linked-accounts.ts';
import { api, orpc } from '../api/client.ts';
import { dateOfInstant } from '../format/dates.ts';
import { AlertDialog } from '../ui/alert-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { readReturn, returnProblem } from '../visitor/oauth-return.ts';
import { TwoFactorPasswordStep } from './two-factor-password-step.tsx';

/** Far down the page: who comes back from a provider must not look for the answer. */
const bringIntoView = (note: HTMLElement | null) => note?.scrollIntoView({ block: 'center' });

/** Accounts elsewhere that sign this person in, and the ways to link and unlink them. */
export function LinkedAccountsCard() {
  const { pathname, search } = useLocation();
  const { linked, problem } = readReturn(search);
  const { data, isError, isFetching, refetch } = useQuery(orpc.linkedAccounts.list.queryOptions());
  const [linking, setLinking] = useState<LinkedAccount | null>(null);
  const [unlinking, setUnlinking] = useState<LinkedAccount | null>(null);
  const arrived = data?.find((it) => it.provider === linked && it.linked_at !== null);

  const link = async (provider: string, password: string) => {
    const { url } = await api.linkedAccounts.authorize({
      query: { provider, return_to: pathname === '/staff/settings' ? pathname : '/account' },
      // Headers hold ASCII alone.
      headers: { 'x-password': encodeURIComponent(password) },
    });
    window.location.assign(url);
  };

  return (
    <Card title="Linked Accounts">
      {linking ? (
        <TwoFactorPasswordStep
          label="Continue"
          onCancel={() => setLinking(null)}
          onPassword={(password) => link(linking.provider, password)}
        >
          <p>
            First, your password here. Then sign in to {linking.label}, and you are brought back to this page.
          </p>
        </TwoFactorPasswordStep>
      ) : data ? (
        <div className="flex flex-col gap-4">
          {problem && (
            <div ref={bringIntoView}>
              <Notice tone="warning" role="alert">
                {returnProblem(problem)}
              </Notice>
            </div>
          )}
          {arrived && (
            <div ref={bringIntoView}>
              <Notice tone="positive" role="status">
                {arrived.label} is linked. From now on it signs you in.
              </Notice>
            </div>
          )}
          <p className="max-w-[44ch] text-ink-muted">
            Sign in with an account you have elsewhere. We are told which account it is, and nothing else.
          </p>
          <ul className="flex flex-col divide-y divide-line">
            {data.map((identity) => (
              <Row
                key={identity.provider}
                identity={identity}
                onLink={() => setLinking(identity)}
                onUnlink={() => setUnlinking(identity)}
              />
            ))}
          </ul>
        </div>
      ) : isError ? (
        <ErrorState
          title="Your linked accounts could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonLines lines={2} />
      )}
      <Unlinking identity={unlinking} onClose={() => setUnlinking(null)} />
    </Card>
  );
}

interface RowProps {
  identity: LinkedAccount;
  onLink: () => void;
  onUnlink: () => void;
}

function Row({ identity: { label, linked_at }, onLink, onUnlink }: RowProps) {
  return (
    <li className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold">{label}</p>
        <p className="text-ink-muted text-sm">
          {linked_at ? `Linked ${dateOfInstant(linked_at)}` : 'Not linked'}
        </p>
      </div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`${linked_at ? 'Unlink' : 'Link'} ${label}`}
        onClick={linked_at ? onUnlink : onLink}
      >
        {linked_at ? 'Unlink' : 'Link'}
      </Button>
    </li>
  );
}

function Unlinking({ identity, onClose }: { identity: LinkedAccount | null; onClose: () => void }) {
  const client = useQueryClient();
  const unlinking = useMutation(
    orpc.linkedAccounts.unlink.mutationOptions({
      onSuccess: () => toast.success(`${identity?.label} is unlinked`),
      onError: (error) =>
        toast.error(
          'code' in error && error.code === 'LAST_WAY_IN'
            ? error.message
            : 'It could not be unlinked. Please try again.',
        ),
      onSettled: async () => {
        await client.invalidateQueries({ queryKey: orpc.linkedAccounts.list.key() });
        onClose();
      },
    }),
  );
  return (
    <AlertDialog
      open={identity !== null}
      title={`Unlink ${identity?.label}?`}
      description="It no longer signs you in. Your account here stays as it is, and you can link it again at any time."
      confirmLabel="Unlink"
      busyLabel="Unlinking..."
      busy={unlinking.isPending}
      onConfirm={() => identity?.id && unlinking.mutate({ id: identity.id })}
      onClose={onClose}
    />
  );
}
