import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { currentUser } from '../api/session.ts';

/** While the server cannot be reached: tries again when the network returns, and then opens the real page. */
export function useReconnect(online: boolean) {
  const router = useRouter();
  const [reconnecting, setReconnecting] = useState(false);

  const reconnect = useCallback(async () => {
    setReconnecting(true);
    try {
      await currentUser();
      await router.invalidate();
    } catch {
      // Still unreachable: the page stays, and tries again when the network returns.
      setReconnecting(false);
    }
  }, [router]);

  useEffect(() => {
    if (online) void reconnect();
  }, [online, reconnect]);

  return { reconnecting, reconnect };
}
