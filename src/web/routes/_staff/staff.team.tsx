import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { TeamPage } from '../../staff/team/team-page.tsx';

export const Route = createFileRoute('/_staff/staff/team')({
  beforeLoad: requirePermission('manage_staff'),
  component: Team,
});

function Team() {
  return <TeamPage user={Route.useRouteContext().user} />;
}
