import { site } from '../../api/site.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { BarRulesCard, ClubCard, RulesCard } from './club-card.tsx';

export function ClubPage() {
  return (
    <PageShell title="Club" width="wide" back={useBackToMore()}>
      <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
        <ClubCard />
        <div className="flex flex-col gap-5 sm:gap-6">
          <BarRulesCard />
          {site.payments === 'on' && <RulesCard />}
        </div>
      </div>
    </PageShell>
  );
}
