import { useRouteContext } from '@tanstack/react-router';
import type { Tablet } from '../../api/device/tablet.ts';

/** The shared tablet that this page is open on, limited to bar work. Null on any other device. */
export function useTablet(): Tablet | null {
  return useRouteContext({ from: '/_staff', select: ({ user }) => user.tablet ?? null });
}
