import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { orpc } from '../../api/client.ts';
import { currentUser, forgetSession } from '../../api/session.ts';
import { toast } from '../../ui/toast.ts';
import { followChanges } from './follow-changes.ts';

/** Keeps what is on the screen true, and leaves when the account was deleted on another screen. */
export function useLiveChanges(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const lookWhoIsHere = async () => {
      // The screen that asked for it says goodbye itself.
      if (client.isMutating({ mutationKey: orpc.privacy.deleteAccount.mutationKey() }) > 0) return;
      forgetSession();
      if ((await currentUser()) !== null) return;
      toast.info('You are signed out', { description: 'This account was deleted.' });
      await router.navigate({ to: '/login', replace: true });
    };
    return followChanges(client, () => void lookWhoIsHere().catch(() => undefined));
  }, [client, router]);
}
