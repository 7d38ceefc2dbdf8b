import { may, type SessionUser } from '../../api/session.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { BarDeviceCard } from './bar-device-card.tsx';
import { ClubCard, RulesCard } from './club-card.tsx';
import { ColorCard } from './look/color-card.tsx';
import { LogoCard } from './look/logo-card.tsx';
import { PlacesCard } from './places-card.tsx';

/** Settings of this device and, for staff who manage staff, of the club; the account has a separate page. */
export function StaffSettingsPage({ user }: { user: SessionUser }) {
  const manages = may(user, 'manage_staff');
  return (
    <PageShell
      title="Settings"
      width={manages ? 'wide' : 'reading'}
      back={<BackLink to="/staff/more">Back to More</BackLink>}
    >
      {manages ? (
        <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
          <div className={COLUMN}>
            <BarDeviceCard />
            <ClubCard />
          </div>
          <div className={COLUMN}>
            <LogoCard />
            <ColorCard />
            <PlacesCard />
            <RulesCard />
          </div>
        </div>
      ) : (
        <BarDeviceCard />
      )}
    </PageShell>
  );
}

/** Stacked; side by side in a wide window. */
const COLUMN = 'flex min-w-0 flex-col gap-5 sm:gap-6';
