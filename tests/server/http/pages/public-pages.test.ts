import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClubSettingsView } from '../../../../src/contract/staff/club.ts';
import { PUBLIC_PAGE_PRESETS } from '../../../../src/domain/club/public-pages.ts';
import { tier_definitions } from '../../../../src/server/db/schema.ts';
import { clubSite } from '../../../../src/server/http/pages/club-site.ts';
import { PERSONAL_DATA } from '../../../../src/server/privacy/inventory.ts';
import { renderPublicPage } from '../../../../src/web/app/page-frames.tsx';
import { RED_DOT } from '../../../support/fixtures/pictures.ts';
import { SITE } from '../../../support/fixtures/site.ts';
import { createTestApp, type TestApp } from '../../../support/harness/app.ts';
import type { Caller } from '../../../support/harness/caller.ts';

const URL = 'https://club.example';
const EVIL = '</script><img src=x onerror=alert(1)>"\'&';

let app: TestApp;
let owner: Caller;
beforeAll(async () => {
  let site = () => SITE;
  app = await createTestApp({
    publicUrl: URL,
    termsUrl: null,
    pricing: { currency: 'eur', taxBehavior: 'inclusive', paymentMethods: 'card' },
    publicPages: {
      site: () => site(),
      render: renderPublicPage,
      styles: ['/assets/style-1.css'],
      fonts: ['/assets/title-1.woff2'],
    },
  });
  site = clubSite({ ...SITE, currency: 'eur', tax_behavior: 'inclusive' }, app.services.club, URL);
  owner = await app.staff();
});
afterAll(() => app.close());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await app.send(path, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const settings = () => owner.must<ClubSettingsView>('GET', '/api/club-settings');
const change = async (changes: object, reset: string[] = []) =>
  owner.must<ClubSettingsView>('PATCH', '/api/club-settings', {
    version: (await settings()).version,
    changes,
    reset,
  });
const resetAll = () => change({}, [...Object.keys(PUBLIC_PAGE_PRESETS), 'terms_url', 'club_name']);
/** What the page tells search engines. */
const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
/** Later than any answer kept in memory. */
const later = () => app.clock.advance({ seconds: 6 });

test('a visitor reads the tiers, their prices in the venue’s currency and what they hold, without a script', async () => {
  const { status, headers, html } = await get('/club');
  expect(status).toBe(200);
  expect(html.startsWith('<!doctype html><html lang="en">')).toBe(true);
  const [cheapest] = await owner.must<{ display_name: string; monthly_price: number }[]>('GET', '/api/tiers');
  expect(html).toContain(cheapest?.display_name);
  expect(html).toMatch(new RegExp(`€${cheapest?.monthly_price}</span> <span[^>]*>per month tax included`));
  expect(html).toContain('For two people who share the pours');
  expect(html).toContain('1 pour for guests');
  for (const link of ['/register', '/gift', '/login', '/terms', '/privacy', '/imprint', '/accessibility']) {
    expect(html).toContain(`href="${link}"`);
  }
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/style="|<style| on\w+="/);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toContain('<link rel="stylesheet" href="/assets/style-1.css"/>');
});

test('a visitor reads what a year costs and saves, beside the month', async () => {
  await owner.must('PATCH', '/api/tier-settings/select', { yearly_price_cents: 39_000 });
  later();
  expect((await get('/club')).html).toContain(
    'Or €390 tax included for a year, 2 months free. Ends by itself.',
  );
  await owner.must('PATCH', '/api/tier-settings/select', { yearly_price_cents: null });
});

test('search engines and previews of links get a title, a description, a picture and the offers', async () => {
  const { html } = await get('/club');
  expect(html).toContain('<title>Test Cellar: Good wine, every month</title>');
  expect(html).toContain(`<link rel="canonical" href="${URL}/club"/>`);
  expect(html).toContain(`<meta property="og:image" content="${URL}/icons/icon-512.png"/>`);
  const data = dataOf(html);
  expect(data).toMatchObject({ '@type': 'Organization', name: 'Test Cellar', url: `${URL}/club` });
  const tiers = await owner.must<{ display_name: string; monthly_price: number }[]>('GET', '/api/tiers');
  expect(data.makesOffer).toMatchObject(
    tiers.map(({ display_name: name, monthly_price: price }) => ({ name, price, priceCurrency: 'EUR' })),
  );
});

test('nothing that the venue writes can become markup, in the page or in its data', async () => {
  await change({
    club_name: EVIL.slice(0, 60),
    page_heading: EVIL,
    page_words: `# ${EVIL}\n\n${EVIL}`,
    page_address: EVIL,
    page_hours: EVIL,
    page_questions: `# ${EVIL}\n${EVIL}`,
    imprint_text: EVIL,
  });
  const { html } = await get('/club');
  expect(html).not.toContain('<img src=x');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(dataOf(html)).toMatchObject({ address: EVIL });
  const imprint = (await get('/imprint')).html;
  expect(imprint).not.toContain('<img');
  expect(imprint).not.toContain('<script');
  await resetAll();
});

test('turned off, the page is gone, and so are the links to it', async () => {
  const site = clubSite(SITE, app.services.club, URL);
  expect(site().club_page).toBe(true);
  await change({ page_on: false });
  expect((await get('/club')).status).toBe(404);
  expect((await get('/sitemap.xml')).html).not.toContain('/club<');
  expect((await get('/privacy')).html).not.toContain('href="/club"');
  expect(site().club_page).toBe(false);
  await resetAll();
  expect((await get('/club')).status).toBe(200);
});

test('the venue chooses what is shown; empty texts show nothing', async () => {
  expect((await get('/club')).html).not.toMatch(/Tonight’s Wines|>Hours<|>Where We Pour</);
  const wine = { color: 'red', sweetness: 1, body: 4, tannin: 4, acidity: 3, glasses_per_bottle: 6 };
  const { id } = await owner.must<{ id: string }>('POST', '/api/wines', { ...wine, name: 'Barolo Bussia' });
  await owner.must('POST', `/api/wines/${id}/bottles`, { instead_of: null });
  await change({
    page_wines: true,
    page_places: true,
    page_hours: 'Tue to Sat\n5 to 11 pm',
    page_questions: '',
  });
  later();
  const { html } = await get('/club');
  expect(html).toContain('Barolo Bussia');
  expect(html).toContain('Tue to Sat\n5 to 11 pm');
  expect(html).toContain('Tasting Room');
  expect(html).not.toContain('>Questions<');
  await change({ page_tiers: false });
  expect((await get('/club')).html).not.toMatch(/>Membership<|€\d/);
  await resetAll();
});

test('a tier without a price is free, and with no tier on offer the page still stands', async () => {
  const { db } = app.services;
  const before = await db.select().from(tier_definitions);
  await db.update(tier_definitions).set({ monthly_price_cents: 0 });
  later();
  const free = (await get('/club')).html;
  expect(free).toContain('>Free</span>');
  expect(free).not.toMatch(/href="\/gift"/);
  await db.update(tier_definitions).set({ is_active: false, is_featured: false });
  later();
  const none = await get('/club');
  expect(none.status).toBe(200);
  expect(none.html).not.toContain('>Membership</h2>');
  expect(dataOf(none.html).makesOffer).toEqual([]);
  for (const { tier_name, ...was } of before) {
    await db.update(tier_definitions).set(was).where(eq(tier_definitions.tier_name, tier_name));
  }
  later();
});

test('a picture is shown, shared with links and fetched by its version, until it is removed', async () => {
  expect((await get('/club-picture.jpg')).status).toBe(404);
  const { picture } = await owner.must<ClubSettingsView>('PUT', '/api/club-settings/picture', {
    content: RED_DOT,
  });
  const src = `/club-picture.jpg?v=${picture}`;
  const { html } = await get('/club');
  expect(html).toContain(`src="${src}"`);
  expect(html).toContain(`<meta property="og:image" content="${URL}${src}"/>`);
  const file = await get(src);
  expect(file.headers.get('content-type')).toBe('image/jpeg');
  expect(file.headers.get('cache-control')).toContain('immutable');
  expect((await get('/club-picture.jpg')).headers.get('cache-control')).toBe('no-cache');
  const removed = await owner.must<ClubSettingsView>('DELETE', '/api/club-settings/picture');
  expect(removed.picture).toBeNull();
  expect((await get(src)).status).toBe(404);
});

test('the privacy page lists everything in the inventory, and whether it stays', async () => {
  const { html } = await get('/privacy');
  for (const { about, kept } of PERSONAL_DATA) {
    expect(html).toContain(
      `>${about}</dt><dd class="text-ink-muted sm:w-1/2">${kept === 'nothing' ? 'Deleted with your account' : 'Stays without your name, for our accounts'}</dd>`,
    );
  }
  expect((await get('/imprint')).html).not.toContain('<dt');
});

test('each of the law’s pages has a default text, the venue’s own, or leads to its own address', async () => {
  expect((await get('/terms')).html).toContain('These terms are between you and Test Cellar.');
  await change({ accessibility_text: '# Ramp\n\nAt the back door.\nRing twice.' });
  const own = (await get('/accessibility')).html;
  expect(own).toMatch(/<h2[^>]*>Ramp<\/h2><p[^>]*>At the back door.\nRing twice.<\/p>/);
  await change({ imprint_url: 'https://venue.example/imprint' });
  const answer = await get('/imprint');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://venue.example/imprint']);
  expect((await get('/privacy')).html).toContain('href="https://venue.example/imprint"');
  expect((await get('/sitemap.xml')).html).not.toContain('/imprint');
  await resetAll();
});

test('new members accept the venue’s terms: its address, else the text it saved, never an unread default', async () => {
  const site = clubSite(SITE, app.services.club, URL);
  expect(site().terms_url).toBeNull();
  await change({ terms_text: 'Be kind.' });
  expect(site().terms_url).toBe(`${URL}/terms`);
  expect(app.services.venue.terms_url).toBe(`${URL}/terms`);
  await change({ terms_url: 'https://venue.example/agb' });
  expect(site().terms_url).toBe('https://venue.example/agb');
  expect((await get('/terms')).headers.get('location')).toBe('https://venue.example/agb');
  await resetAll();
});

test('texts beyond their length and addresses that are none are refused', async () => {
  const { version } = await settings();
  for (const changes of [
    { page_heading: 'x'.repeat(81) },
    { page_words: 'x'.repeat(2001) },
    { page_questions: 'x'.repeat(6001) },
    { privacy_text: 'x'.repeat(12_001) },
    { privacy_text: ' ' },
    { imprint_url: 'javascript:alert(1)' },
    { page_on: 'yes' },
  ]) {
    const { status } = await owner.call('PATCH', '/api/club-settings', { version, changes });
    expect([Object.keys(changes), status]).toEqual([Object.keys(changes), 400]);
  }
});

test('the sitemap names the pages, robots.txt names the sitemap, and the device’s theme is kept', async () => {
  const { html, headers } = await get('/sitemap.xml');
  expect(headers.get('content-type')).toContain('application/xml');
  expect([...html.matchAll(/<loc>([^<]+)/g)].map(([, url]) => url)).toEqual(
    ['/club', '/terms', '/privacy', '/imprint', '/accessibility'].map((path) => URL + path),
  );
  expect((await get('/robots.txt')).html).toContain(`Sitemap: ${URL}/sitemap.xml`);
  expect((await get('/club', { cookie: 'cellar-door-theme=dark' })).html).toContain('data-theme="dark"');
});
