import type { ReactNode } from 'react';
import { BackLink } from '../../ui/back-link.tsx';
import { useOfficeWindow } from '../../ui/use-media.ts';
import { useTablet } from '../tablet/use-tablet.ts';

/** A link to More; undefined in the office, which has no such page. */
export function useBackToMore(): ReactNode {
  return useOfficeWindow() ? undefined : <BackLink to="/staff/more">Back to More</BackLink>;
}

/** The name of /staff/dashboard: the bar's tab, or the office's entry. A shared tablet is always at the bar. */
export function useDashboardName(): string {
  const office = useOfficeWindow();
  return useTablet() === null && office ? 'Dashboard' : 'Bar';
}

export function BackToDashboard() {
  return <BackLink to="/staff/dashboard">Back to {useDashboardName()}</BackLink>;
}
