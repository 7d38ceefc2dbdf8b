import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { PlacesCard } from './places-card.tsx';

export function PlacesPage() {
  return (
    <PageShell title="Places" back={useBackToMore()}>
      <PlacesCard />
    </PageShell>
  );
}
