import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { refusalOf, serverMessage } from './client.ts';
import { forgetSession } from './session.ts';

function createClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    // NOT_ALLOWED: another user has signed in from another tab since.
    if (refusalOf(error, 'NOT_SIGNED_IN') ?? refusalOf(error, 'NOT_ALLOWED')) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // A refusal stays a refusal, however often it is asked for.
        retry: (failures, error) => failures < 2 && serverMessage(error) === null,
        retryDelay: (failures) => 400 * 2 ** failures,
      },
      // A refused or lost write is never repeated on its own: the user decides.
      mutations: { networkMode: 'always' },
    },
  });
}

/** Data of the signed-in pages. Only their layouts load this file, so that /login loads none of it. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  // Signing out unmounts the layout, and so drops the data of one user before the next.
  const [client] = useState(() =>
    createClient(() => {
      forgetSession();
      // The guard runs again and sends them to /login, which returns to this page after sign-in.
      void router.invalidate();
    }),
  );
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
