import { DeviceCard } from '../../account/device-card.tsx';
import { AccountShell } from './account-shell.tsx';

export function AppearancePage() {
  return (
    <AccountShell title="Appearance">
      <DeviceCard />
    </AccountShell>
  );
}
