import { site } from '../api/site.ts';
import { Crest } from './crest.tsx';

export function NavBrand() {
  return (
    <>
      <Crest className="h-8 w-auto shrink-0 text-brass" />
      <span className="truncate">{site.club_name}</span>
    </>
  );
}
