import type { Site } from '../../contract/site.ts';
import { DEFAULT_PLACES } from '../../domain/club/places.ts';

const fallback: Site = {
  build: '',
  club_name: 'Cellar Door',
  support_email: 'hello@cellardoor.example',
  currency: 'usd',
  time_zone: 'UTC',
  tax_behavior: 'unspecified',
  demo: true,
  start_over: false,
  payments: 'on',
  sandbox_url: null,
  verify_email: 'nudge',
  minimum_age: 21,
  terms_url: null,
  club_page: true,
  legal: { terms: '/terms', privacy: '/privacy', imprint: '/imprint', accessibility: '/accessibility' },
  accent: null,
  places: DEFAULT_PLACES,
  captcha: null,
  providers: [],
  wallets: [],
};

function readSite(): Site {
  // Page frames are drawn without a document.
  const text = globalThis.document?.getElementById('site')?.textContent?.trim() ?? '';
  // The dev server leaves the placeholder in the page.
  if (!text.startsWith('{')) return fallback;
  try {
    return { ...fallback, ...(JSON.parse(text) as Partial<Site>) };
  } catch {
    return fallback;
  }
}

export const site: Site = readSite();
