import type { Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ClubPageContent, LegalPageContent, StoredData } from '../../../contract/public-page.ts';
import { documentTheme, type Site, THEME_COOKIE } from '../../../contract/site.ts';
import { defaultLegalText } from '../../../domain/club/public-page-texts.ts';
import {
  CLUB_PAGE_PATH,
  CLUB_PICTURE_PATH,
  LEGAL_PAGES,
  type LegalPage,
  legalLinks,
} from '../../../domain/club/public-pages.ts';
import type { Services } from '../../context.ts';
import { readClubPicture } from '../../membership/club/club-pictures.ts';
import { listTiers } from '../../membership/tiers.ts';
import type { EncodedPicture } from '../../pictures/encode-picture.ts';
import { PERSONAL_DATA } from '../../privacy/inventory.ts';
import { listTonightsWines } from '../../wines/wine-list.ts';
import { clubStyleUrl } from './club-files.ts';
import { escapeHtml } from './escape-html.ts';
import { sendPage } from './static-files.ts';
import type { readPublicPages } from './web-build.ts';

// Rules: docs/rules/club.md, "Public pages".

export type PublicPages = ReturnType<typeof readPublicPages> & { site: () => Site };

type Deps = Pick<Services, 'db' | 'club' | 'currency' | 'now'> & { publicUrl: string };

/** How long the tiers and wines that were read stay in memory: visitors in a crowd must not slow down the bar. */
const KEPT_MS = 5_000;

const storedData = (): StoredData[] =>
  PERSONAL_DATA.map(({ about, kept }) => ({ about, kept: kept !== 'nothing' }));

/** Mounts the pages that anyone can read, the club's picture, the sitemap and robots.txt. */
export function mountPublicPages(
  // biome-ignore lint/suspicious/noExplicitAny: the app's variables do not matter here
  app: Hono<any>,
  { db, club, currency, now, publicUrl }: Deps,
  { site, render, styles, fonts }: PublicPages,
): void {
  const send = (c: Context, content: ClubPageContent | LegalPageContent) => {
    const facts = site();
    const clubStyle = clubStyleUrl(facts, club.logo());
    const html = render({
      site: facts,
      publicUrl,
      theme: documentTheme(getCookie(c, THEME_COOKIE)),
      styles: clubStyle ? [...styles, clubStyle] : styles,
      fonts,
      content,
    });
    return sendPage(c, html, 200, 'no-cache');
  };

  const readOffer = once(
    () => `${Math.floor(now().getTime() / KEPT_MS)} ${club.version()}`,
    () =>
      Promise.all([
        club.current().page_tiers ? listTiers({ db, currency }) : [],
        club.current().page_wines ? listTonightsWines({ db }) : [],
      ]),
  );
  const readPicture = once(club.version, () => readClubPicture(db));

  app.get(CLUB_PAGE_PATH, async (c, next) => {
    const settings = club.current();
    if (!settings.page_on) return next();
    const [[tiers, wines], picture] = await Promise.all([readOffer(), readPicture()]);
    return send(c, {
      settings,
      tiers,
      wines: wines.filter(({ state }) => state === 'open'),
      picture: picture && pictureUrl(picture),
    });
  });

  for (const page of LEGAL_PAGES) {
    app.get(`/${page}`, (c) => {
      const settings = club.current();
      const url = settings[`${page}_url`];
      if (url) return c.redirect(url, 302);
      const text = settings[`${page}_text`] ?? defaultLegalText(page, settings);
      return send(c, { page, text, stored: page === 'privacy' ? storedData() : [] });
    });
  }

  app.get(CLUB_PICTURE_PATH, async (c, next) => {
    const picture = await readPicture();
    if (!picture) return next();
    const isCurrent = c.req.query('v') === picture.version;
    c.header('Cache-Control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache');
    c.header('Content-Type', 'image/jpeg');
    return c.body(picture.content as Uint8Array<ArrayBuffer>);
  });

  app.get('/sitemap.xml', (c) => {
    const { page_on, ...settings } = club.current();
    const links = legalLinks(settings);
    const paths = LEGAL_PAGES.filter((page: LegalPage) => links[page] === `/${page}`).map(
      (page) => `/${page}`,
    );
    const urls = [...(page_on ? [CLUB_PAGE_PATH] : []), ...paths].map(
      (path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`,
    );
    c.header('Content-Type', 'application/xml; charset=utf-8');
    c.header('Cache-Control', 'no-cache');
    return c.body(
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
    );
  });

  app.get('/robots.txt', (c) =>
    c.text(`User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`),
  );
}

const pictureUrl = ({ version }: EncodedPicture) => `${CLUB_PICTURE_PATH}?v=${version}`;

/** Reads once for each key; callers with the same key share the answer. A failed read is not kept. */
function once<T>(keyOf: () => number | string, make: () => Promise<T>): () => Promise<T> {
  let entry: { key: number | string; value: Promise<T> } | null = null;
  return () => {
    const key = keyOf();
    if (entry?.key === key) return entry.value;
    const value = make();
    entry = { key, value };
    value.catch(() => {
      entry = null;
    });
    return value;
  };
}
