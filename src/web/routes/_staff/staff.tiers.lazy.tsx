import { createLazyFileRoute } from '@tanstack/react-router';
import { TiersPage } from '../../staff/tiers/tiers-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/tiers')({ component: Tiers });

function Tiers() {
  return <TiersPage user={Route.useRouteContext().user} />;
}
