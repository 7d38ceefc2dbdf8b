import handbook from 'virtual:handbook';
import { useParams, useRouter } from '@tanstack/react-router';
import Printer from 'lucide-react/icons/printer';
import type { MouseEvent } from 'react';
import '../../styles/handbook.css';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { NotFoundPage } from '../../ui/not-found-page.tsx';
import { PageShell } from '../../ui/page-shell.tsx';

export default function HandbookArticle() {
  const { page: slug } = useParams({ from: '/help/$page' });
  const router = useRouter();
  const page = handbook.flatMap(({ pages }) => pages).find((it) => it.slug === slug);
  if (!page) return <NotFoundPage />;

  /** Opens other pages of the handbook within the app, so that they open without a network too. */
  const follow = (event: MouseEvent) => {
    const href = (event.target as Element).closest('a')?.getAttribute('href');
    const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey;
    if (!href?.startsWith('/help') || opensElsewhere) return;
    event.preventDefault();
    void router.navigate({ href });
  };

  return (
    <PageShell
      title={page.title}
      back={<BackLink to="/help">All Help</BackLink>}
      actions={
        <Button variant="quiet" size="sm" icon={<Printer size={18} />} onClick={() => window.print()}>
          Print
        </Button>
      }
    >
      <p aria-hidden="true" className="hidden font-title text-3xl print:block">
        {page.title}
      </p>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link arrives as a click */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only its links are interactive */}
      <div
        className="handbook"
        onClick={follow}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made from our own Markdown by the build
        dangerouslySetInnerHTML={{ __html: page.html }}
      />
    </PageShell>
  );
}
