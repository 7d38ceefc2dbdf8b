import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../../../contract/index.ts';
import { pageAt } from '../../../contract/pages.ts';
import type { DocumentTheme, Site } from '../../../contract/site.ts';
import type { PageFacts } from '../session-endpoint.ts';
import { dashboardFrame } from './dashboard-frame.ts';
import { escapeHtml, type FrameValues, fillFrame } from './frame-html.ts';
import type { Page } from './web-build.ts';

type Session = PageFacts['body'];

/** Where the app is drawn, empty as the build leaves it. */
const ROOT = '<div id="root"></div>';
const STYLESHEET = /<link rel="stylesheet"[^>]*>/;
/** In frames; the demo's alone. */
const DEMO_STRIP = /<aside[\s\S]*?<\/aside>\s*/;
/** Of scripts, where a frame is shown without them. */
const LOW = ' fetchpriority="low"';

/** '<' is escaped, so that no name can end the script element. */
const jsonForHtml = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

const urlOf = (procedure: { '~orpc': { route: { path?: string } } }) =>
  `/api${procedure['~orpc'].route.path}`;
const OWN = urlOf(contract.members.getOwn);
const MEMBERS = urlOf(contract.members.list);

/** Throws when the app has not been built. */
export function readIndex(folder: string): string {
  const file = join(folder, 'index.html');
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The web app is not built: ${file} is missing`, { cause: error });
  }
}

/** index.html with the site and the club's name: in one pass, so that no name is taken for a place. */
export const fillIndex = (index: string, site: Site): string =>
  index.replace(/__SITE__|__CLUB_NAME__/g, (place) =>
    place === '__SITE__' ? jsonForHtml(site) : escapeHtml(site.club_name),
  );

/** A page as it is sent. */
export interface PageDocument {
  html: string;
  /** The hash of its own style element, as a content security policy names it; null where it has none. */
  styleHash: string | null;
}

/** A page without what is in the middle, which depends on who asks. */
interface Parts extends Pick<PageDocument, 'styleHash'> {
  head: string;
  rest: string;
  /** An attribute of what fetches scripts. */
  priority: string;
}

interface DocumentOptions {
  /** Whether it names scripts, to be fetched at once. */
  ahead?: boolean;
  /** What was chosen on the device. */
  theme?: DocumentTheme | null;
}

/** The club's own look, over the product's: where its stylesheet is, and what it says. */
export interface ClubLook {
  url: string;
  css: string;
}

/**
 * Makes the document for a path of the app: index.html with the site, who is signed in, their own membership, and what the
 * page will ask for first, so that the browser fetches all of it at once and not each thing when the one before has run.
 * Without `path`, the document of no page; without `facts`, of nobody: then the page asks. A page with a frame shows that
 * until it runs, and brings along what the frame is drawn with, so that neither stylesheets nor scripts hold it up.
 */
export function pageDocuments(
  index: string,
  site: Site,
  pages: Record<string, Page>,
  look: ClubLook | null,
): (path: string | null, facts: PageFacts | null, options?: DocumentOptions) => PageDocument {
  const [before = '', rest = ''] = fillIndex(index, site).split('</head>');
  // After the app's own, which it overrides.
  const styles = [STYLESHEET.exec(before)?.[0], look && `<link rel="stylesheet" href="${look.url}">`];
  const links = styles.filter(Boolean).join('\n    ');
  const bare = before.replace(STYLESHEET, '');
  const plain: Parts = { head: `${bare}${links}\n    `, rest, styleHash: null, priority: '' };
  const framed = new Map<string, Omit<Parts, 'rest'> & { frame: string }>();
  for (const [shown, { frame }] of Object.entries(pages)) {
    if (!frame) continue;
    const css = [frame.css, look?.css].filter(Boolean).join('\n');
    framed.set(shown, {
      frame: site.demo ? frame.html : frame.html.replace(DEMO_STRIP, ''),
      head: `${bare.replaceAll('<script type="module"', `$&${LOW}`)}<style>${css}</style>\n    `,
      styleHash: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
      priority: LOW,
    });
  }
  const partsOf = (shown: string | null, facts: PageFacts | null): Parts => {
    const found = framed.get(shown ?? '');
    const values = found && frameValues(shown, facts, site);
    if (!found || !values) return plain;
    const { frame, ...parts } = found;
    const html = fillFrame(frame, { ...values, CLUB_NAME: site.club_name });
    const root = `<div id="root">${html}</div>\n    ${links}`;
    return { ...parts, rest: rest.replace(ROOT, () => root) };
  };
  return (path, facts, { ahead = true, theme = null } = {}) => {
    const session = facts?.body ?? null;
    const own = facts?.own?.membership;
    const shown = path === null ? null : shownPage(pageAt(path), session, pages);
    const page = shown === null ? undefined : pages[shown];
    const { head, rest, styleHash, priority } = partsOf(shown, facts);
    const scripts = ((ahead && page?.scripts) || []).map(
      (href) => `<link rel="modulepreload"${priority} crossorigin href="${href}">`,
    );
    const calls =
      page && shown ? firstCalls(shown, page, session).filter((href) => !(own && href === OWN)) : [];
    const data = calls.map((href) => `<link rel="preload" as="fetch" crossorigin href="${href}">`);
    const embedded = Object.entries({ session, 'own-membership': own ?? null })
      .filter(([, value]) => value !== null)
      .map(([id, value]) => `<script type="application/json" id="${id}">${jsonForHtml(value)}</script>`);
    return {
      html: `${themed(head, theme)}${[...data, ...scripts, ...embedded].join('\n    ')}\n  </head>${rest}`,
      styleHash,
    };
  };
}

/** The start of a document in the colors chosen on the device. */
const themed = (head: string, theme: DocumentTheme | null) =>
  theme ? head.replace('<html ', `$&data-theme="${theme}" `) : head;

/** What the page's frame shows that user; null where it is better left out. */
function frameValues(shown: string | null, facts: PageFacts | null, site: Site): FrameValues | null {
  if (shown === '/dashboard') return facts && dashboardFrame(facts, site);
  return {};
}

/** Whether the page at that path shows this user their own membership. */
export const showsMembership = (path: string, session: Session, pages: Record<string, Page>): boolean => {
  const shown = shownPage(pageAt(path), session, pages);
  const page = shown === null ? undefined : pages[shown];
  return Boolean(shown && page && firstCalls(shown, page, session).includes(OWN));
};

/** Where the guards of src/web/app/route-guards.ts will lead: a mistake here costs a round trip and nothing else. */
function shownPage(
  asked: string | null,
  session: Session | null,
  pages: Record<string, Page>,
): string | null {
  const { user } = session ?? {};
  const side = asked === null ? undefined : pages[asked]?.side;
  if (user === null && (asked === '/' || (side && side !== 'visitor'))) return '/login';
  if (user && (asked === '/' || asked === '/login' || asked === '/register')) {
    return user.role === 'staff' ? '/staff/dashboard' : '/dashboard';
  }
  return asked;
}

/** What the page asks the server for as soon as it runs, and shows nothing without. */
function firstCalls(shown: string, { side }: Page, session: Session | null): string[] {
  const user = session?.user;
  if (side === 'member' && user?.role === 'customer') return [OWN];
  if (shown === '/staff/dashboard' && user?.role === 'staff' && !user.must_enrol) return [MEMBERS];
  return [];
}
