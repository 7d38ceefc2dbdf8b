import { createLazyFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../member/account/security-page.tsx';

export const Route = createLazyFileRoute('/_member/account/security')({ component: Security });

function Security() {
  return <SecurityPage user={Route.useRouteContext().user} />;
}
