import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { ColorCard } from './look/color-card.tsx';
import { LogoCard } from './look/logo-card.tsx';

export function LookPage() {
  return (
    <PageShell title="Look" width="wide" back={useBackToMore()}>
      <div className="grid items-start gap-5 sm:gap-6 2xl:grid-cols-2">
        <LogoCard />
        <ColorCard />
      </div>
    </PageShell>
  );
}
