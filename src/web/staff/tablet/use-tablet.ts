import { useRouteContext } from '@tanstack/react-router';
import type { Tablet } from '../../api/device/tablet.ts';

/** The shared tablet that this page is on: there, only the work of the bar is offered. Null on any other device. */
export function useTablet(): Tablet | null {
  return useRouteContext({ from: '/_staff', select: ({ user }) => user.tablet ?? null });
}
