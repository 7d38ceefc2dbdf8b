import type { Site } from '../../../contract/site.ts';

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/icons/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** The manifest that lets a phone install the app under the venue's name. */
export function webManifest({ club_name, accent }: Pick<Site, 'club_name' | 'accent'>): string {
  return JSON.stringify({
    id: '/',
    name: club_name,
    short_name: club_name.length <= 12 ? club_name : club_name.split(' ')[0],
    description: `Your membership at ${club_name}: your card, your pours, your account.`,
    lang: 'en',
    // The card, which members open the app for; staff are redirected to their own home.
    start_url: '/qr-code',
    scope: '/',
    display: 'standalone',
    background_color: '#f6f0e4',
    theme_color: accent ?? '#f6f0e4',
    icons: [
      icon('icon-192', 192, 'any'),
      icon('icon-512', 512, 'any'),
      icon('maskable-192', 192, 'maskable'),
      icon('maskable-512', 512, 'maskable'),
    ],
    shortcuts: [
      { name: 'Dashboard', url: '/dashboard' },
      { name: 'Pour History', url: '/pours' },
    ],
  });
}
