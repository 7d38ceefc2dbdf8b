import type { Site } from '../../../contract/site.ts';
import type { Club } from '../../membership/club/club.ts';

/**
 * The web app's build id combined with the settings' version, since pages contain the settings. An open page then offers to
 * reload.
 */
export const buildWithClub = (build: string, club: Pick<Club, 'version'>): string =>
  build && club.version() > 0 ? `${build}.${club.version()}` : build;

/** The page data of this installation with the club's current settings; the same object until they change. */
export function clubSite(site: Site, club: Pick<Club, 'current' | 'version'>): () => Site {
  const make = () => {
    const { club_name, support_email, time_zone, minimum_age, terms_url, places, accent } = club.current();
    const said = { club_name, support_email, time_zone, minimum_age, terms_url, accent };
    const offered = places.filter(({ retired }) => !retired).map(({ id, name }) => ({ id, name }));
    return { ...site, ...said, places: offered, build: buildWithClub(site.build, club) };
  };
  let version = club.version();
  let made = make();
  return () => {
    if (club.version() === version) return made;
    version = club.version();
    made = make();
    return made;
  };
}
