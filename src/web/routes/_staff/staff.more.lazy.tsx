import { createLazyFileRoute } from '@tanstack/react-router';
import { MorePage } from '../../staff/shell/more-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/more')({ component: More });

function More() {
  return <MorePage user={Route.useRouteContext().user} />;
}
