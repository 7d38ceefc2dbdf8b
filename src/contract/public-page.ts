import type { ClubSettings } from '../domain/club/club-settings.ts';
import type { LegalPage } from '../domain/club/public-pages.ts';
import type { DocumentTheme, Site } from './site.ts';
import type { TierDefinition } from './tiers.ts';
import type { ListedWine } from './wine/wines.ts';

export interface ClubPageContent {
  settings: ClubSettings;
  tiers: TierDefinition[];
  /** The wines that are open; empty if the page shows none. */
  wines: Pick<ListedWine, 'id' | 'name' | 'producer' | 'region' | 'country' | 'vintage' | 'color'>[];
  picture: string | null;
}

export interface StoredData {
  about: string;
  /** Some of it stays, without the name, when the account is deleted. */
  kept: boolean;
}

export interface LegalPageContent {
  page: LegalPage;
  text: string;
  /** What is stored, for the privacy page; empty on the others. */
  stored: StoredData[];
}

export interface PublicPageInput {
  site: Site;
  publicUrl: string;
  /** The theme chosen on the device. */
  theme: DocumentTheme | null;
  /** The URLs of the stylesheets, and of the fonts to load at once. */
  styles: string[];
  fonts: string[];
  content: ClubPageContent | LegalPageContent;
}

/** Needs no script. The web app's build makes this function from its components; the server calls it. */
export type RenderPublicPage = (input: PublicPageInput) => string;
