import type { ReactNode } from 'react';
import { DemoBanner } from '../brand/demo-banner.tsx';
import { OfflineNotice } from '../ui/offline-notice.tsx';
import { SkipLink } from '../ui/skip-link.tsx';
import { ToastRegion } from '../ui/toast-region.tsx';

/** What is on every page, around the page itself. */
export function PageFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <DemoBanner />
      <OfflineNotice />
      {children}
      <ToastRegion />
    </>
  );
}
