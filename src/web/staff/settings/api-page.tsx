import { PageShell } from '../../ui/page-shell.tsx';
import { useBackToMore } from '../shell/back-links.tsx';
import { ApiClientsCard } from './api-clients-card.tsx';

export function ApiPage() {
  return (
    <PageShell
      title="API"
      lead={
        <>
          For programs that work with your club.{' '}
          <a href="/api/docs" className="link">
            API Documentation
          </a>
        </>
      }
      back={useBackToMore()}
    >
      <ApiClientsCard />
    </PageShell>
  );
}
