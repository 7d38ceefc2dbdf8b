import { CLUB_PAGE_PATH, LEGAL_PAGES, LEGAL_TITLES } from '../../../domain/club/public-pages.ts';
import { site } from '../../api/site.ts';

/** Links to the handbook and the legal pages. `newTab`: for pages with a form, which then keeps what was typed. */
export function LegalLinks({ club = false, newTab = false }: { club?: boolean; newTab?: boolean }) {
  const tab = newTab && { target: '_blank', rel: 'noreferrer' };
  const style = 'target inline-flex px-2 items-center justify-center underline underline-offset-2';
  return (
    <nav aria-label="About the club" className="text-balance text-center text-ink-muted text-sm">
      {club && site.club_page && (
        <a href={CLUB_PAGE_PATH} className={style}>
          About {site.club_name}
        </a>
      )}
      <a href="/help" {...tab} className={style}>
        Help
        {newTab && <span className="sr-only"> (opens in a new tab)</span>}
      </a>
      {LEGAL_PAGES.map((page) => (
        <a key={page} href={site.legal[page]} {...tab} className={style}>
          {LEGAL_TITLES[page]}
          {newTab && <span className="sr-only"> (opens in a new tab)</span>}
        </a>
      ))}
    </nav>
  );
}
