import { Link, useMatches, useRouter } from '@tanstack/react-router';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import House from 'lucide-react/icons/house';
import ScanLine from 'lucide-react/icons/scan-line';
import Wine from 'lucide-react/icons/wine';
import { useEffect, useEffectEvent, useRef } from 'react';
import { api } from '../../api/client.ts';
import type { Tablet } from '../../api/device/tablet.ts';
import { inTime } from '../../api/in-time.ts';
import type { SessionUser } from '../../api/session.ts';
import { leaveTablet } from '../../api/sign-out.ts';
import { Button } from '../../ui/button.tsx';
import { Initials } from '../../ui/initials.tsx';
import { useDarkByDefault } from '../../ui/theme.ts';
import { useMedia } from '../../ui/use-media.ts';

const PAGES = [
  { to: '/staff/search', label: 'Scan', icon: ScanLine, path: '/staff/search' },
  { to: '/staff/wines', label: 'Wines', icon: Wine, path: '/staff/wines' },
  { to: '/staff/dashboard', label: 'Bar', icon: House, path: '/staff/' },
] as const;

export function TabletBar({ user, tablet }: { user: SessionUser; tablet: Tablet }) {
  const { lock, lockWhenIdle } = useTabletLock();
  // The PIN page, the scanner and the pour page are dark too: one round at the bar has one look.
  useDarkByDefault();
  useIdleLock(tablet.idle_minutes, lockWhenIdle);
  const isNarrow = useMedia('(width < 30rem)');
  const page = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const current = PAGES.find(({ path }) => page.startsWith(path));
  return (
    <div className="print-hidden sticky top-0 z-30 flex min-h-16 lying:min-h-12 items-center gap-2 border-line border-b bg-surface px-[max(1rem,env(safe-area-inset-left))] sm:gap-4 sm:px-6">
      <Initials {...user} className="size-10 lying:size-8" />
      <p className="min-w-0 flex-1 leading-tight">
        <span className="block truncate font-semibold">
          {user.first_name} {!isNarrow && user.last_name}
        </span>
        <span className="block truncate text-ink-muted text-sm">{tablet.name}</span>
      </p>
      <nav aria-label="Main" className="flex">
        {PAGES.map(({ to, label, icon: Sign }) => (
          <Link
            key={to}
            to={to}
            aria-current={current?.to === to ? 'page' : undefined}
            activeOptions={{ exact: true }}
            className="flex min-h-12 min-w-12 flex-col items-center justify-center rounded-md px-2 font-medium text-ink-muted text-xs no-underline hover:text-ink aria-[current]:text-accent-text sm:flex-row sm:gap-2 sm:px-4 sm:text-sm"
          >
            <Sign size={22} strokeWidth={1.75} />
            {label}
          </Link>
        ))}
      </nav>
      <Button
        variant="secondary"
        className="px-3! sm:px-5!"
        icon={<ArrowLeftRight size={18} className="hidden sm:block" />}
        onClick={lock}
      >
        Switch
      </Button>
    </div>
  );
}

function useTabletLock() {
  const router = useRouter();
  const leaving = useRef(false);
  const leave = async (switchOut: () => Promise<unknown>) => {
    if (leaving.current) return;
    leaving.current = true;
    await leaveTablet(switchOut);
    await router.navigate({ to: '/bar', replace: true });
  };
  const lock = () => void leave(() => api.barDevices.switchOut(undefined, inTime()));
  // Stays unlocked without a server, because no PIN would be accepted. Pours queued meanwhile need this person's PIN
  // anyway.
  const lockWhenIdle = () => {
    if (leaving.current) return;
    api.barDevices.switchOut().then(
      () => leave(() => Promise.resolve()),
      () => undefined,
    );
  };
  return { lock, lockWhenIdle };
}

/** While the tablet is in use, the server is notified once per interval. Shorter than the shortest idle time. */
const STAY_MS = 20_000;
const CHECK_MS = 5_000;

/** Calls `onIdle` after the idle minutes, again until the tablet is locked. Until then, touches keep the session alive. */
function useIdleLock(minutes: number, onIdle: () => void): void {
  const idle = useEffectEvent(onIdle);
  useEffect(() => {
    let used = Date.now();
    let reported = Date.now();
    let reporting: ReturnType<typeof setTimeout> | undefined;

    const report = () => {
      reporting = undefined;
      reported = Date.now();
      // Without a server there is no session to extend, and the next touch tries again.
      api.barDevices.stay().catch(() => undefined);
    };
    const noteTouch = () => {
      used = Date.now();
      reporting ??= setTimeout(report, Math.max(0, reported + STAY_MS - used));
    };
    const check = () => {
      if (Date.now() - used >= minutes * 60_000) idle();
    };

    const checking = setInterval(check, CHECK_MS);
    // Timers do not run while a tablet sleeps.
    document.addEventListener('visibilitychange', check);
    window.addEventListener('pointerdown', noteTouch, { capture: true, passive: true });
    window.addEventListener('keydown', noteTouch, { capture: true });
    return () => {
      clearInterval(checking);
      clearTimeout(reporting);
      document.removeEventListener('visibilitychange', check);
      window.removeEventListener('pointerdown', noteTouch, { capture: true });
      window.removeEventListener('keydown', noteTouch, { capture: true });
    };
  }, [minutes]);
}
