import { may, type SessionUser } from '../../api/session.ts';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { BarDeviceCard } from './bar-device-card.tsx';
import { ClubCard, RulesCard } from './club-card.tsx';
import { ColorCard } from './look/color-card.tsx';
import { LogoCard } from './look/logo-card.tsx';
import { PlacesCard } from './places-card.tsx';

/** What is chosen for this device, and, for who manages staff, for the club; the account has a page of its own. */
export function StaffSettingsPage({ user }: { user: SessionUser }) {
  return (
    <PageShell title="Settings" back={<BackLink to="/staff/more">Back to More</BackLink>}>
      <BarDeviceCard />
      {may(user, 'manage_staff') && (
        <>
          <ClubCard />
          <PlacesCard />
          <RulesCard />
          <LogoCard />
          <ColorCard />
        </>
      )}
    </PageShell>
  );
}
