import type { Site } from '../../../contract/site.ts';
import { acceptedTerms, legalLinks } from '../../../domain/club/public-pages.ts';
import type { Club } from '../../membership/club/club.ts';

/**
 * The web app's build id combined with the settings' version, since pages contain the settings. An open page then offers to
 * reload.
 */
export const buildWithClub = (build: string, club: Pick<Club, 'version'>): string =>
  build && club.version() > 0 ? `${build}.${club.version()}` : build;

/**
 * The page data of this installation with the club's current settings; the same object until they change. `publicUrl`: the
 * site's own address, for terms that are a page of it.
 */
export function clubSite(site: Site, club: Pick<Club, 'current' | 'version'>, publicUrl: string): () => Site {
  const make = () => {
    const settings = club.current();
    const { club_name, support_email, time_zone, minimum_age, places, accent, page_on } = settings;
    const terms_url = acceptedTerms(settings, publicUrl);
    const links = { club_page: page_on, legal: legalLinks(settings) };
    const facts = { club_name, support_email, time_zone, minimum_age, terms_url, accent, ...links };
    const offers = places.filter(({ retired }) => !retired).map(({ id, name }) => ({ id, name }));
    return { ...site, ...facts, places: offers, build: buildWithClub(site.build, club) };
  };
  let version = club.version();
  let page = make();
  return () => {
    if (club.version() === version) return page;
    version = club.version();
    page = make();
    return page;
  };
}
