import { createLazyFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { registerServiceWorker } from '../app/register-service-worker.ts';
import { MemberLayout } from '../member/member-layout.tsx';

export const Route = createLazyFileRoute('/_member')({ component: Layout });

function Layout() {
  useEffect(registerServiceWorker, []);
  const { offlineCard, user } = Route.useRouteContext();
  return <MemberLayout offlineCard={offlineCard} memberId={user.role === null ? null : user.id} />;
}
