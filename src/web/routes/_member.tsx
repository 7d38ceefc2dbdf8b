import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { registerServiceWorker } from '../app/register-service-worker.ts';
import { requireMember } from '../app/route-guards.ts';
import { MemberLayout } from '../member/member-layout.tsx';
import { PageSpinner } from '../ui/spinner.tsx';

export const Route = createFileRoute('/_member')({
  beforeLoad: requireMember,
  pendingComponent: PageSpinner,
  component: Layout,
});

function Layout() {
  useEffect(registerServiceWorker, []);
  const { offlineCard, user } = Route.useRouteContext();
  return <MemberLayout offlineCard={offlineCard} memberId={user.role === null ? null : user.id} />;
}
