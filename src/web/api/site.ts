export interface Site {
  club_name: string;
  support_email: string;
  demo: boolean;
  sandbox_url: string | null;
  /** Whether users are asked to confirm their email, and whether they must. */
  verify_email: 'off' | 'nudge' | 'required';
  captcha: { provider: 'turnstile' | 'hcaptcha' | 'recaptcha'; site_key: string } | null;
  providers: { id: string; label: string }[];
}

const FALLBACK: Site = {
  club_name: 'Cellar Door',
  support_email: 'hello@cellardoor.example',
  demo: true,
  sandbox_url: null,
  verify_email: 'nudge',
  captcha: null,
  providers: [],
};

function readSite(): Site {
  const text = document.getElementById('site')?.textContent?.trim() ?? '';
  // The development server leaves the placeholder in the page.
  if (!text.startsWith('{')) return FALLBACK;
  try {
    return { ...FALLBACK, ...(JSON.parse(text) as Partial<Site>) };
  } catch {
    return FALLBACK;
  }
}

export const site: Site = readSite();
