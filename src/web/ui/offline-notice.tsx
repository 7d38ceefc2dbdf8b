import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

/** Floats at the bottom of the window, so that nothing moves when the network fails. */
export function OfflineNotice() {
  const online = useOnline();
  return (
    <div
      role="status"
      className="print-hidden pointer-events-none fixed inset-x-3 bottom-[calc(var(--action-bar,0px)+max(0.75rem,env(safe-area-inset-bottom)))] z-40 flex justify-center"
    >
      {!online && (
        <p className="flex items-center gap-2.5 rounded-xl border border-line bg-surface-raised py-2.5 pr-5 pl-4 font-medium text-sm shadow-raised">
          <Icon shape="offline" className="text-warning" />
          You're offline. This page may be outdated.
        </p>
      )}
    </div>
  );
}
