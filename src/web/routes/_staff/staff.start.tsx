import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { StartPage } from '../../staff/setup/start-page.tsx';

export const Route = createFileRoute('/_staff/staff/start')({
  beforeLoad: requirePermission('manage_staff'),
  component: Start,
});

function Start() {
  return <StartPage user={Route.useRouteContext().user} />;
}
