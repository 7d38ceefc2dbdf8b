import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { ApiClientsCard } from './api-clients-card.tsx';

export function ApiPage() {
  return (
    <PageShell title="API" back={useBackToMore()}>
      <ApiClientsCard />
    </PageShell>
  );
}
