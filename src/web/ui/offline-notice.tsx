import { useSyncExternalStore } from 'react';
import { isOnline, subscribeOnline } from '../api/online.ts';
import { Icon } from './icon.tsx';

export function useOnline(): boolean {
  return useSyncExternalStore(subscribeOnline, isOnline);
}

/** A thin line above the page, in the flow, so that it covers nothing and no pinned button moves. */
export function OfflineNotice() {
  const online = useOnline();
  return (
    <div role="status" className="print-hidden">
      {!online && (
        <p className="offline-strip flex items-center justify-center gap-2 bg-warning-soft px-4 py-1 font-medium text-sm text-warning max-[24rem]:px-2 max-[24rem]:text-xs">
          <Icon shape="offline" size={16} className="shrink-0" />
          You’re offline. This page may be outdated.
        </p>
      )}
    </div>
  );
}
