import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { usePageTitle } from './page-title.ts';

interface PageShellProps {
  /** The text of the <h1>, and the page's name in the browser tab. */
  title: string;
  /** Replaces `title` in the heading, for more than text. */
  heading?: ReactNode;
  lead?: ReactNode;
  eyebrow?: ReactNode;
  /**
   * A <BackLink>; null keeps its row for the actions alone, which a phone in landscape and a large screen have beside the
   * title.
   */
  back?: ReactNode;
  /** To the right of the back link, or of the title of a page without one, e.g. a Sign Out button. */
  actions?: ReactNode;
  /** narrow: forms and the card. reading: most pages. wide: the dashboard. full: a table. */
  width?: 'narrow' | 'reading' | 'wide' | 'full';
  centered?: boolean;
  /** The last part is an <ActionBar>. A phone in landscape shows two columns, the second with the actions. */
  pinned?: boolean;
  /** On a phone in landscape, the first part is beside everything else. */
  beside?: boolean;
  children: ReactNode;
}

const widths = { narrow: 'max-w-narrow', reading: 'max-w-reading', wide: 'max-w-wide', full: 'max-w-none' };

/** The text of a quiet button, not its padding, ends where the page does. On a small phone, two buttons are two icons. */
const ACTIONS =
  'flex items-center gap-2 [&>.button-quiet:last-child]:-mr-3 max-[24rem]:[&>.button-quiet:not(:only-child)>span]:sr-only';

const PINNED = {
  page: 'pinned:flex pinned:min-h-dvh lying:max-w-none pinned:flex-col pinned:pb-0! lying:pt-3!',
  main: 'lg:grid lg:grid-cols-2 lg:items-start pinned:flex-1 pinned:gap-3! lying:grid! lying:grid-cols-2 lying:content-start lying:items-start lying:pb-[calc(var(--action-bar,0px)+1rem)]',
};
const BESIDE = {
  page: 'lying:grid lying:max-w-none lying:grid-cols-[minmax(0,1fr)_auto] lying:content-start lying:gap-x-6 lying:gap-y-3 lying:pt-4! lying:pb-4! lying:[&>main>*]:col-start-1 lying:[&>main>:nth-child(2)]:col-start-2 lying:[&>main>:nth-child(2)]:row-span-6 lying:[&>main>:nth-child(2)]:row-start-1',
};

export function PageShell({
  title,
  heading,
  lead,
  eyebrow,
  back,
  actions,
  width = 'reading',
  centered,
  pinned,
  beside,
  children,
}: PageShellProps) {
  const ref = usePageTitle(title);
  const actsBeside = back === undefined && actions;
  return (
    <div
      className={classNames(
        'mx-[var(--page-margin,auto)] w-full px-[max(1.25rem,env(safe-area-inset-left))] pt-4 pb-[max(4rem,env(safe-area-inset-bottom))] sm:px-8 sm:pt-8 lying:pt-4!',
        widths[width],
        pinned && PINNED.page,
        beside && BESIDE.page,
      )}
    >
      {back !== undefined && (
        <header
          className={classNames(
            'print-hidden flex min-h-11 flex-wrap items-center justify-between gap-2',
            back === null
              ? 'relative mb-4 justify-end lg:-mb-10 lying:-mt-1 lying:-mb-10!'
              : pinned || beside
                ? 'mb-4 pinned:mb-1'
                : 'mb-4 lying:mb-1',
          )}
        >
          {back}
          {actions && <div className={ACTIONS}>{actions}</div>}
        </header>
      )}
      <main
        id="main"
        tabIndex={-1}
        data-pinned={pinned || undefined}
        className={classNames(
          'flex flex-col gap-5 sm:gap-6 lying:gap-4!',
          pinned && PINNED.main,
          beside && 'pinned:gap-3! lying:contents',
        )}
      >
        <div
          className={classNames(
            'print-hidden mb-1 sm:mb-2 lying:mb-0!',
            centered && 'text-center lg:-mx-24',
            pinned && 'pinned:mb-0! short:sr-only lying:sr-only lg:col-span-2',
          )}
        >
          {eyebrow && <p className="eyebrow lying:hidden mb-1.5 text-brass-text">{eyebrow}</p>}
          <div
            className={
              actsBeside
                ? 'flex flex-wrap items-start justify-between gap-x-4 gap-y-2 max-[24rem]:gap-x-2'
                : undefined
            }
          >
            {/* The sentence stays with its title: where both do not fit beside the actions, these come below. */}
            <div className={actsBeside && lead ? 'flex-1 basis-80' : undefined}>
              <h1
                ref={ref}
                tabIndex={-1}
                className={classNames(
                  'text-3xl sm:text-4xl lying:text-2xl!',
                  pinned && 'pinned:text-2xl!',
                  beside && 'pinned:text-2xl! short:text-lg!',
                )}
              >
                {heading ?? title}
              </h1>
              {lead && (
                <p
                  className={classNames(
                    'mt-2 max-w-[70ch] text-ink-muted sm:text-balance',
                    centered && 'mx-auto',
                  )}
                >
                  {lead}
                </p>
              )}
            </div>
            {actsBeside && <div className={ACTIONS}>{actions}</div>}
          </div>
        </div>
        {children}
      </main>
    </div>
  );
}
