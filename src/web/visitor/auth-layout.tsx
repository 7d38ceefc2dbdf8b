import type { ReactNode } from 'react';
import { Crest } from '../brand/crest.tsx';
import { Card } from '../ui/card.tsx';
import { PageShell } from '../ui/page-shell.tsx';

interface EntranceProps {
  title: string;
  heading: string;
  lead: string;
  /** The way to the other form. */
  otherwise: ReactNode;
  children: ReactNode;
}

/** What a visitor stands before: the mark of the house, and one form. */
export function AuthLayout({ title, heading, lead, otherwise, children }: EntranceProps) {
  return (
    <PageShell
      width="narrow"
      centered
      title={title}
      heading={
        <>
          <Crest className="mx-auto mt-4 mb-5 h-18 w-auto text-brass sm:mt-8" />
          {heading}
        </>
      }
      lead={lead}
    >
      <Card raised>{children}</Card>
      <p className="text-center text-ink-muted">{otherwise}</p>
    </PageShell>
  );
}
