import { site } from '../api/site.ts';
import { Crest } from './crest.tsx';

/** The club's name and logo, for navigation at the top. */
export function NavBrand() {
  return (
    <>
      <Crest className="h-8 w-auto shrink-0 text-brass" />
      <span className="truncate">{site.club_name}</span>
    </>
  );
}
