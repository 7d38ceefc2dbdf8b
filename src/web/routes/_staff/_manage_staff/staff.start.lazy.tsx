import { createLazyFileRoute } from '@tanstack/react-router';
import { StartPage } from '../../../staff/setup/start-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/start')({ component: Start });

function Start() {
  return <StartPage user={Route.useRouteContext().user} />;
}
