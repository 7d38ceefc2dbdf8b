import { tierLabel } from '../../../domain/tiers.ts';
import type { OfflineCard } from '../../api/offline-card.ts';
import { dateOfDay } from '../../format/dates.ts';
import { useOnline } from '../../ui/offline-notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useReconnect } from '../../ui/use-reconnect.ts';
import { validForMs } from './code-lifetime.ts';
import { MemberCardFace } from './member-card.tsx';
import type { PaperCode } from './use-paper-card.ts';

/** A code that never expires is not stored on the device. */
const NO_PAPER: PaperCode = {
  token: null,
  available: false,
  busy: false,
  prepare: async () => null,
  replace: async () => undefined,
};

/** Replaces every member page while the server cannot be reached: the card saved on this device. */
export function OfflinePage({ card }: { card: OfflineCard }) {
  const online = useOnline();
  const now = useNow();
  const { reconnecting, reconnect } = useReconnect(online);

  // An arrival in the future means that the clock was set back, so the code's age is unknown.
  const validFor = now < card.arrived_at ? 0 : validForMs(now - card.arrived_at);
  return (
    <PageShell
      width="narrow"
      centered
      beside
      title="Your Digital Membership Card"
      lead={
        online ? 'We can’t reach our server. This is your last saved card.' : 'This is your last saved card.'
      }
    >
      <MemberCardFace
        firstName={card.first_name}
        lastName={card.last_name}
        tier={card.tier}
        tierLabel={card.tier_label ?? tierLabel(card.tier)}
        memberSince={dateOfDay(card.member_since)}
        paper={NO_PAPER}
        code={{
          state: validFor > 0 ? 'overdue' : 'expired',
          token: validFor > 0 ? card.token : null,
          validForMs: validFor,
          online,
          isFetching: reconnecting,
          retry: () => void reconnect(),
        }}
      />
    </PageShell>
  );
}
