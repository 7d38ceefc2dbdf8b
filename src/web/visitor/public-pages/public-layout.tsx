import type { ReactNode } from 'react';
import { CLUB_PAGE_PATH } from '../../../domain/club/public-pages.ts';
import { site } from '../../api/site.ts';
import { NavBrand } from '../../brand/nav-brand.tsx';
import { LegalLinks } from './legal-links.tsx';

/** The head and foot of the pages that anyone can read. Their links load a page, since no script runs. */
export function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="border-line border-b bg-surface">
        <div className="mx-auto flex min-h-14 w-full max-w-wide items-center justify-between gap-4 px-5 sm:px-8">
          <a
            href={site.club_page ? CLUB_PAGE_PATH : '/'}
            className="flex min-h-11 min-w-0 items-center gap-3 font-title text-lg"
          >
            <NavBrand />
          </a>
          <a href="/login" className="link target inline-flex shrink-0 items-center">
            Sign In
          </a>
        </div>
      </header>
      <main id="main" className="flex-1">
        {children}
      </main>
      <footer className="border-line border-t bg-surface">
        <div className="mx-auto flex w-full max-w-wide flex-col items-center gap-3 px-5 py-8 text-center text-ink-muted text-sm sm:px-8">
          <p>
            {site.club_name}
            {site.minimum_age > 0 && `. You must be ${site.minimum_age} or older to be a member.`}
          </p>
          <LegalLinks />
        </div>
      </footer>
    </>
  );
}
