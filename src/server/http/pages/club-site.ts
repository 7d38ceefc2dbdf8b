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
  const make = () => ({ ...site, ...club.current(), build: buildWithClub(site.build, club) });
  let version = club.version();
  let made = make();
  return () => {
    if (club.version() === version) return made;
    version = club.version();
    made = make();
    return made;
  };
}
