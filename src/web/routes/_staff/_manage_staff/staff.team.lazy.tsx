import { createLazyFileRoute } from '@tanstack/react-router';
import { TeamPage } from '../../../staff/team/team-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/team')({ component: Team });

function Team() {
  return <TeamPage user={Route.useRouteContext().user} />;
}
