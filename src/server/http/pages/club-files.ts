import { createHash } from 'node:crypto';
import type { Site } from '../../../contract/site.ts';
import { accentStylesheet } from '../../../domain/club/colors.ts';
import { LOGO_PATH, type LogoFacts, logoStylesheet, PLATED_LOGO_PATH } from '../../../domain/club/logo.ts';
import type { EncodedLogo } from '../../pictures/encode-logo.ts';
import { webManifest } from './web-manifest.ts';

export type Encoding = 'br' | 'gzip' | null;

export interface Served {
  type: string;
  etag: string;
  content(encoding: Encoding): Promise<Buffer<ArrayBuffer>>;
  compressed: boolean;
  /** The content at a URL with this as `v` never changes, so browsers cache it. */
  version?: string;
}

const MANIFEST_PATH = '/manifest.webmanifest';
/** The stylesheet with the club's color and logo, served only if the club has set either. */
const STYLE_PATH = '/club.css';

type Look = Pick<Site, 'accent'>;

/**
 * The URL of the club's stylesheet, different for each look, so that pages never show an outdated one; null if there is
 * none.
 */
export function clubStyleUrl({ accent }: Look, logo: LogoFacts | null): string | null {
  const look = [accent?.slice(1), logo?.version].filter(Boolean).join('.');
  return look ? `${STYLE_PATH}?${look}` : null;
}

const clubStyle = ({ accent }: Look, logo: LogoFacts | null): string =>
  [accent && accentStylesheet(accent), logo && logoStylesheet(logo)].filter(Boolean).join('\n');

export function clubFiles(site: Site, logo: EncodedLogo | null): Map<string, Served> {
  const files = new Map([[MANIFEST_PATH, fileOf('application/manifest+json', webManifest(site))]]);
  const style = clubStyle(site, logo);
  if (style) files.set(STYLE_PATH, fileOf('text/css; charset=utf-8', style));
  if (logo) {
    const { version, content, plated } = logo;
    files.set(LOGO_PATH, { ...fileOf('image/png', content), version });
    files.set(PLATED_LOGO_PATH, { ...fileOf('image/png', plated ?? content), version });
  }
  return files;
}

function fileOf(type: string, source: string | Uint8Array): Served {
  const content = Buffer.from(source as string);
  const etag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { type, etag, compressed: false, content: async () => content };
}
