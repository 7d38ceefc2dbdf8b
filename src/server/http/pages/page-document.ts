import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../../../contract/index.ts';
import type { RenderFrame } from '../../../contract/page-frame.ts';
import type { DocumentTheme, Site } from '../../../contract/site.ts';
import type { PageFacts } from '../session-endpoint.ts';
import { escapeHtml } from './escape-html.ts';
import type { Page } from './web-build.ts';

type Session = PageFacts['body'];

const ROOT = '<div id="root"></div>';
/** The attribute of scripts whose page is shown before they run. */
const LOW = ' fetchpriority="low"';

/** Escapes '<', so that no name can end the script element. */
const jsonForHtml = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const urlOf = (procedure: { '~orpc': { route: { path?: string } } }) =>
  `/api${procedure['~orpc'].route.path}`;
const OWN = urlOf(contract.members.getOwn);
const MEMBERS = urlOf(contract.members.list);

/** Throws if the app has not been built. */
export function readIndex(folder: string): string {
  const file = join(folder, 'index.html');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The web app is not built: ${file} is missing`, { cause: error });
  }
}

/** Fills index.html with the site and the club's name in one pass, so that no name is taken for a placeholder. */
export const fillIndex = (index: string, site: Site): string =>
  index.replace(/__SITE__|__CLUB_NAME__/g, (place) =>
    place === '__SITE__' ? jsonForHtml(site) : escapeHtml(site.club_name),
  );

interface DocumentOptions {
  /** False to leave out the page's script preloads. */
  preload?: boolean;
  theme?: DocumentTheme | null;
  /** Nobody has set the club up yet; the sign-in page then leads to /setup. */
  awaitsSetup?: boolean;
}

/**
 * Makes the document for a page, by its pattern: index.html with the site, the signed-in user, their own membership, and the
 * page's first requests, so that the browser fetches everything at once. Without a page, the document of none; without
 * `facts`, of no user: then the page asks. `clubStyle`: the URL of the club's stylesheet, if it has one.
 */
export function pageDocuments(
  index: string,
  site: Site,
  pages: Record<string, Page>,
  renderFrame: RenderFrame,
  clubStyle: string | null,
): (page: string | null, facts: PageFacts | null, options?: DocumentOptions) => string {
  const [before = '', rest = ''] = fillIndex(index, site).split('</head>');
  // The link comes after the app's own stylesheet, which it overrides.
  const link = clubStyle && `<link rel="stylesheet" href="${clubStyle}">`;
  return (path, facts, { preload = true, theme = null, awaitsSetup = false } = {}) => {
    const session = facts?.body ?? null;
    const membership = facts?.own ?? null;
    const name = shownPage(path, session, pages);
    const page = name === null ? undefined : pages[name];
    const frame = page && name && renderFrame(name, { site, user: session?.user ?? null, own: membership });
    const priority = frame ? LOW : '';
    const scripts = ((preload && page?.scripts) || []).map(
      (href) => `<link rel="modulepreload"${priority} crossorigin href="${href}">`,
    );
    const calls =
      page && name ? firstCalls(name, page, session).filter((href) => !(membership && href === OWN)) : [];
    const data = calls.map((href) => `<link rel="preload" as="fetch" crossorigin href="${href}">`);
    const blocks = Object.entries({
      session,
      'own-membership': membership?.membership ?? null,
      'awaits-setup': awaitsSetup || null,
    })
      .filter(([, value]) => value !== null)
      .map(([id, value]) => `<script type="application/json" id="${id}">${jsonForHtml(value)}</script>`);
    const head = themed(before, theme).replaceAll('<script type="module"', `$&${priority}`);
    const links = [link, ...data, ...scripts, ...blocks].filter(Boolean).join('\n    ');
    const body = frame ? rest.replace(ROOT, () => `<div id="root">${frame}</div>`) : rest;
    return `${head}${links}\n  </head>${body}`;
  };
}

const themed = (head: string, theme: DocumentTheme | null) =>
  theme ? head.replace('<html ', `$&data-theme="${theme}" `) : head;

/** Whether the page with that pattern shows this user their own membership. */
export const showsMembership = (path: string, session: Session, pages: Record<string, Page>): boolean => {
  const name = shownPage(path, session, pages);
  const page = name === null ? undefined : pages[name];
  return Boolean(name && page && firstCalls(name, page, session).includes(OWN));
};

/** The page that the guards in src/web/app/route-guards.ts lead to; a mistake here only costs a round trip. */
function shownPage(path: string | null, session: Session | null, pages: Record<string, Page>): string | null {
  const { user } = session ?? {};
  const side = path === null ? undefined : pages[path]?.side;
  if (user === null && (path === '/' || (side && side !== 'visitor'))) return '/login';
  if (user && (path === '/' || path === '/login' || path === '/register')) {
    return user.role === 'staff' ? '/staff/dashboard' : '/dashboard';
  }
  return path;
}

/** The calls that a page makes at once, and shows nothing without. */
function firstCalls(name: string, { side }: Page, session: Session | null): string[] {
  const user = session?.user;
  if (side === 'member' && user?.role === 'customer') return [OWN];
  if (name === '/staff/dashboard' && user?.role === 'staff' && !user.must_enrol) return [MEMBERS];
  return [];
}
