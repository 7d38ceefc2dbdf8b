import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Crest } from '../brand/crest.tsx';
import { Card } from '../ui/card.tsx';
import { PageShell } from '../ui/page-shell.tsx';
import { LegalLinks } from './public-pages/legal-links.tsx';

interface AuthLayoutProps {
  title: string;
  heading?: string;
  lead: string;
  /** Below the card, instead of the link to sign in: the link to the other form. */
  footer?: ReactNode;
  children: ReactNode;
}

export function AuthLayout({
  title,
  heading = title,
  lead,
  footer = <BackToSignIn />,
  children,
}: AuthLayoutProps) {
  return (
    <PageShell
      width="narrow"
      centered
      title={title}
      heading={
        <>
          <Crest className="mx-auto mt-4 lying:mt-0 mb-5 lying:mb-2 h-18 lying:h-8 w-auto text-brass sm:mt-8" />
          {heading}
        </>
      }
      lead={lead}
    >
      <Card raised>{children}</Card>
      <p className="text-center text-ink-muted">{footer}</p>
      <LegalLinks club newTab />
    </PageShell>
  );
}

export function BackToSignIn({ redirect }: { redirect?: string }) {
  return (
    <Link to="/login" search={{ redirect }} className="link">
      Back to sign in
    </Link>
  );
}
