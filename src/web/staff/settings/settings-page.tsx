import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { BarDeviceCard } from './bar-device-card.tsx';

/** What is chosen for this device; the account has a page of its own. */
export function StaffSettingsPage() {
  return (
    <PageShell title="Settings" back={<BackLink to="/staff/more">Back to More</BackLink>}>
      <BarDeviceCard />
    </PageShell>
  );
}
