import { createFileRoute } from '@tanstack/react-router';
import { StaffSettingsPage } from '../../staff/settings/settings-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings')({ component: Settings });

function Settings() {
  return <StaffSettingsPage user={Route.useRouteContext().user} />;
}
