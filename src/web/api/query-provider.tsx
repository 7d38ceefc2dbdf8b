import { onlineManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { orpc, refusalOf, serverMessage } from './client.ts';
import { forgetMembership, givenMembership } from './document/given-membership.ts';
import { isTimeout } from './in-time.ts';
import { isOnline, subscribeOnline } from './online.ts';
import { endSession, forgetSession, SIGNED_IN_KEY } from './session.ts';
import { SessionRefusal } from './session-refusal.ts';

// Queries that wait for the network go on once our server answers, whatever the browser says.
onlineManager.setEventListener((setOnline) => subscribeOnline(() => setOnline(isOnline())));

function createClient(onError: (error: unknown) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A retry after a refusal would not help, and one after a timeout would double the wait.
        retry: (failures, error) => failures < 2 && serverMessage(error) === null && !isTimeout(error),
        retryDelay: (failures) => 400 * 2 ** failures,
      },
    },
  });
}

/** Fills the first render with the document's data, so that nothing in it is requested again. */
function seed(client: QueryClient, memberId: string): void {
  const snapshot = givenMembership(memberId);
  if (!snapshot) return;
  const { queryKey } = orpc.members.getOwn.queryOptions();
  client.setQueryData(queryKey, snapshot.membership, { updatedAt: snapshot.at });
}

/** The data of the signed-in pages. Imported only by their layouts, so that /login does not load it. */
export function QueryProvider({ memberId, children }: { memberId?: string; children: ReactNode }) {
  const router = useRouter();
  const [onError] = useState(() => (error: unknown) => {
    // NOT_ALLOWED: another user has signed in, in another tab.
    if (!(refusalOf(error, 'NOT_SIGNED_IN') ?? refusalOf(error, 'NOT_ALLOWED'))) return;
    forgetSession();
    // The guard runs again: without a user it redirects to /login, which leads back to this page.
    void router.invalidate();
  });
  // The client lives as long as the signed-in pages: signing out unmounts the layout and drops the user's data.
  const [client] = useState(() => {
    const created = createClient(onError);
    if (memberId) seed(created, memberId);
    return created;
  });
  useEffect(forgetMembership, []);
  useEffect(() => {
    // Follows sign-outs and sign-ins in other tabs of this browser.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      // A null key: the browser's storage was cleared, which says nothing about the session.
      if (key !== SIGNED_IN_KEY) return;
      if (newValue === null) {
        endSession();
        void router.invalidate();
      }
      // Another user: nothing on this page belongs to them.
      else window.location.reload();
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [router]);
  return (
    <QueryClientProvider client={client}>
      <SessionRefusal value={onError}>{children}</SessionRefusal>
    </QueryClientProvider>
  );
}
