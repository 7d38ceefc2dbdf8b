import type { ClubPageContent, PublicPageInput } from '../../../contract/public-page.ts';
import { pageText } from '../../../domain/club/public-page-texts.ts';
import { CLUB_PAGE_PATH } from '../../../domain/club/public-pages.ts';

/** The club and its tiers in the vocabulary of schema.org, as JSON-LD that can stand in a script element. */
export function structuredData(
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
