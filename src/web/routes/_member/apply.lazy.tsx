import { createLazyFileRoute } from '@tanstack/react-router';
import { ApplyPage } from '../../member/survey/apply-page.tsx';

export const Route = createLazyFileRoute('/_member/apply')({ component: Apply });

function Apply() {
  const { user } = Route.useRouteContext();
  return <ApplyPage userId={user.id} />;
}
