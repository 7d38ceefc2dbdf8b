import { createFileRoute } from '@tanstack/react-router';
import { SecurityPage } from '../../member/account/security-page.tsx';
import { readReturn } from '../../visitor/oauth-return.ts';

export const Route = createFileRoute('/_member/account/security')({
  validateSearch: readReturn,
  component: Security,
});

function Security() {
  return <SecurityPage user={Route.useRouteContext().user} />;
}
