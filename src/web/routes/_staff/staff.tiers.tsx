import { createFileRoute } from '@tanstack/react-router';
import { TiersPage } from '../../staff/tiers/tiers-page.tsx';

export const Route = createFileRoute('/_staff/staff/tiers')({ component: Tiers });

function Tiers() {
  return <TiersPage user={Route.useRouteContext().user} />;
}
