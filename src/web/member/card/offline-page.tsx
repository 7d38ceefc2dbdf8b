import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { OfflineCard } from '../../api/offline-card.ts';
import { currentUser } from '../../api/session.ts';
import { useOnline } from '../../ui/offline-notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useNow } from '../../ui/use-now.ts';
import { lifeLeft } from './code-lifetime.ts';
import { MemberCardFace } from './member-card.tsx';

interface AwayScreenProps {
  card: OfflineCard;
}

/** Every member page while the server cannot be reached: the card as this device last had it. */
export function OfflinePage({ card }: AwayScreenProps) {
  const router = useRouter();
  const online = useOnline();
  const now = useNow();
  const [asking, setAsking] = useState(false);

  const ask = useCallback(async () => {
    setAsking(true);
    try {
      await currentUser();
      await router.invalidate();
    } catch {
      // Still away. The card stays, and the network's return asks again.
      setAsking(false);
    }
  }, [router]);

  useEffect(() => {
    if (online) void ask();
  }, [online, ask]);

  // Before it arrived: the clock was set back since, and nobody knows how old the code is.
  const lifeLeftMs = now < card.arrived_at ? 0 : lifeLeft(card.arrived_at, now);
  return (
    <PageShell
      width="narrow"
      centered
      title="Your Digital Membership Card"
      lead="We cannot be reached just now. This is your card as you last had it."
    >
      <MemberCardFace
        profile={card}
        customer={card}
        code={{
          state: lifeLeftMs > 0 ? 'aging' : 'gone',
          token: lifeLeftMs > 0 ? card.token : null,
          lifeLeftMs,
          online,
          asking,
          askAgain: () => void ask(),
        }}
      />
    </PageShell>
  );
}
