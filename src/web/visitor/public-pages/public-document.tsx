import type { ReactNode } from 'react';
import type { ClubPageContent, PublicPageInput } from '../../../contract/public-page.ts';
import { pageText } from '../../../domain/club/public-page-texts.ts';
import { CLUB_PAGE_PATH, LEGAL_TITLES, textBlocks } from '../../../domain/club/public-pages.ts';
import { site } from '../../api/site.ts';
import { DemoBanner } from '../../brand/demo-banner.tsx';
import { NavBrand } from '../../brand/nav-brand.tsx';
import { ClubPage } from './club-page.tsx';
import { LegalLinks } from './legal-links.tsx';
import { LegalText } from './legal-text.tsx';

const MAX_DESCRIPTION = 160;

function metaOf({ content, site, publicUrl }: PublicPageInput) {
  const image = `${publicUrl}/icons/icon-512.png`;
  if ('page' in content) {
    const title = `${LEGAL_TITLES[content.page]} · ${site.club_name}`;
    const description = `${LEGAL_TITLES[content.page]} of ${site.club_name}.`;
    return { title, description, image, url: `${publicUrl}/${content.page}` };
  }
  const words = textBlocks(pageText('page_words', content.settings, site.payments)).find(
    ({ kind }) => kind === 'paragraph',
  );
  const text = (words?.text ?? `Membership at ${site.club_name}.`).replaceAll(/\s+/g, ' ');
  return {
    title: [site.club_name, pageText('page_heading', content.settings, site.payments)]
      .filter(Boolean)
      .join(': '),
    description: text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`,
    image: content.picture ? publicUrl + content.picture : image,
    url: publicUrl + CLUB_PAGE_PATH,
  };
}

export function PublicDocument(input: PublicPageInput) {
  const { site, theme, styles, fonts, content } = input;
  const { title, description, image, url } = metaOf(input);
  return (
    <html lang="en" data-theme={theme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f6f0e4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#171110" media="(prefers-color-scheme: dark)" />
        <link rel="canonical" href={url} />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={site.club_name} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        <meta property="og:url" content={url} />
        <meta property="og:image" content={image} />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
        {fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="" href={href} />
        ))}
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {'page' in content || (
          <script
            type="application/ld+json"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in which no tag can begin
            dangerouslySetInnerHTML={{ __html: structuredData(input, content) }}
          />
        )}
      </head>
      <body className="flex min-h-dvh flex-col">
        <DemoBanner />
        <PublicLayout>
          {'page' in content ? <LegalText {...content} /> : <ClubPage {...content} />}
        </PublicLayout>
      </body>
    </html>
  );
}

/** The club and its tiers in the vocabulary of schema.org, as JSON-LD that can stand in a script element. */
function structuredData(
  { site, publicUrl }: Pick<PublicPageInput, 'site' | 'publicUrl'>,
  { settings, tiers, picture }: ClubPageContent,
): string {
  const priceCurrency = site.currency.toUpperCase();
  const address = pageText('page_address', settings, site.payments);
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: site.club_name,
    url: publicUrl + CLUB_PAGE_PATH,
    email: site.support_email,
    ...(address && { address }),
    ...(picture && { image: publicUrl + picture }),
    makesOffer: tiers.map(({ display_name, description, monthly_price }) => ({
      '@type': 'Offer',
      name: display_name,
      description,
      price: monthly_price,
      priceCurrency,
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: monthly_price,
        priceCurrency,
        unitCode: 'MON',
      },
      url: `${publicUrl}/register`,
    })),
  };
  // No text of the venue can end the script element.
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** The head and foot of the pages that anyone can read. Their links load a page, since no script runs. */
function PublicLayout({ children }: { children: ReactNode }) {
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
