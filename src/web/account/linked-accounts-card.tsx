import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { LinkedAccount } from '../../contract/auth/linked-accounts.ts';
import { api, orpc } from '../api/client.ts';
import { dateOfInstant } from '../format/dates.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.ts';
import { readReturn, returnErrorText } from '../visitor/oauth-return.ts';
import { PasswordStep } from './password-step.tsx';

/** The card is far down the page, so the result of linking is scrolled into view. */
const scrollIntoView = (note: HTMLElement | null) => note?.scrollIntoView({ block: 'center' });

export function LinkedAccountsCard() {
  const { pathname, search } = useLocation();
  const { linked, problem } = readReturn(search);
  const query = useQuery(orpc.linkedAccounts.list.queryOptions());
  const client = useQueryClient();
  const [linking, setLinking] = useState<LinkedAccount | null>(null);
  const [unlinking, setUnlinking] = useState<LinkedAccount | null>(null);
  const justLinked = query.data?.find((it) => it.provider === linked && it.linked_at !== null);

  const link = async (provider: string, password: string) => {
    const { url } = await api.linkedAccounts.authorize({
      query: { provider, return_to: pathname === '/staff/account' ? pathname : '/account/security' },
      // Headers can hold only ASCII.
      headers: { 'x-password': encodeURIComponent(password) },
    });
    window.location.assign(url);
  };

  const unlink = async ({ id, label }: LinkedAccount, password: string) => {
    if (id) await api.linkedAccounts.unlink({ id, password });
    setUnlinking(null);
    toast.success(`${label} was unlinked`);
    await client.invalidateQueries({ queryKey: orpc.linkedAccounts.list.key() });
  };

  return (
    <Card title="Linked Accounts">
      {linking ? (
        <PasswordStep
          label="Continue"
          onCancel={() => setLinking(null)}
          onPassword={(password) => link(linking.provider, password)}
        >
          <p>
            First, enter your password here. Then sign in to {linking.label}, which brings you back to this
            page.
          </p>
        </PasswordStep>
      ) : unlinking ? (
        <PasswordStep
          label="Unlink"
          variant="danger"
          onCancel={() => setUnlinking(null)}
          onPassword={(password) => unlink(unlinking, password)}
        >
          <p>
            Unlink {unlinking.label}? You will no longer be able to sign in with it. Your account here stays,
            and you can link it again anytime. Please enter your password now.
          </p>
        </PasswordStep>
      ) : (
        <Loaded query={query} failed="We couldn’t load your linked accounts" lines={2}>
          {(list) => (
            <div className="flex flex-col gap-4">
              {problem && (
                <div ref={scrollIntoView}>
                  <Notice tone="warning" role="alert">
                    {returnErrorText(problem)}
                  </Notice>
                </div>
              )}
              {justLinked && (
                <div ref={scrollIntoView}>
                  <Notice tone="positive" role="status">
                    {justLinked.label} is linked. You can now sign in with it.
                  </Notice>
                </div>
              )}
              <p className="max-w-[44ch] text-ink-muted">
                Sign in with an account you already have. We only learn which account it is.
              </p>
              <ul className="flex flex-col divide-y divide-line">
                {list.map((identity) => (
                  <Row
                    key={identity.provider}
                    identity={identity}
                    onLink={() => setLinking(identity)}
                    onUnlink={() => setUnlinking(identity)}
                  />
                ))}
              </ul>
            </div>
          )}
        </Loaded>
      )}
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
