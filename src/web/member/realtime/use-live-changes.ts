import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { currentUser, forgetSession } from '../../api/session.ts';
import { toast } from '../../ui/toast.ts';
import { isDeletingAccount } from '../account/deleting-account.ts';
import { followChanges } from './follow-changes.ts';

/** Updates the page on changes, and leaves it if the account was deleted on another device. */
export function useLiveChanges(): void {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const checkSession = async () => {
      if (isDeletingAccount()) return;
      forgetSession();
      if ((await currentUser()) !== null) return;
      toast.info('You’ve been signed out', {
        description: 'This account was deleted.',
        nextPage: true,
      });
      await router.navigate({ to: '/login', replace: true });
    };
    return followChanges(client, () => void checkSession().catch(() => undefined));
  }, [client, router]);
}
