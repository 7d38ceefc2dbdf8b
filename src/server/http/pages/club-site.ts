import type { Site } from '../../../contract/site.ts';
import type { Club } from '../../membership/club/club.ts';

/**
 * The build of the web app that answers name: another one after each change of the club's settings, which are in the page.
 * An open page then offers to load itself again.
 */
export const buildWithClub = (build: string, club: Pick<Club, 'version'>): string =>
  build && club.version() > 0 ? `${build}.${club.version()}` : build;

/** What pages say about this installation, with the club's settings of that moment: the same object until they change. */
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
