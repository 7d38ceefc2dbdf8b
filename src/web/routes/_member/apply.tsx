import { createFileRoute } from '@tanstack/react-router';
import { ApplyScreen } from '../../member/survey/apply-page.tsx';

export const Route = createFileRoute('/_member/apply')({ component: Apply });

function Apply() {
  const { user } = Route.useRouteContext();
  return <ApplyScreen userId={user.id} />;
}
