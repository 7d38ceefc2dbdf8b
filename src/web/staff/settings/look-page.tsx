import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { ColorCard } from './look/color-card.tsx';
import { LogoCard } from './look/logo-card.tsx';

export function LookPage() {
  return (
    <PageShell title="Look" back={useBackToMore()}>
      <LogoCard />
      <ColorCard />
    </PageShell>
  );
}
