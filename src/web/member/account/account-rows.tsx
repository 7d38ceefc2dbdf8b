import { useQuery } from '@tanstack/react-query';
import FolderDown from 'lucide-react/icons/folder-down';
import Gift from 'lucide-react/icons/gift';
import ShieldCheck from 'lucide-react/icons/shield-check';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import { useTwoFactor } from '../../account/use-two-factor.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { RowLink, RowList } from '../../ui/row-link.tsx';

const NOTHING_YET = '\u00a0';

/** A link to each page with one line about its state: on phones, in place of the desktop's rail. */
export function AccountRows() {
  const twoFactor = useTwoFactor();
  const { data: taste } = useQuery(orpc.profile.getTaste.queryOptions());
  return (
    <RowList label="Account" className="lg:hidden">
      <RowLink
        to="/account/security"
        icon={ShieldCheck}
        title="Security"
        detail={twoFactor === undefined ? NOTHING_YET : `Two-step sign-in is ${twoFactor ? 'on' : 'off'}`}
      />
      <RowLink
        to="/account/taste"
        icon={SlidersHorizontal}
        title="Your Taste"
        detail={
          taste === undefined
            ? NOTHING_YET
            : taste
              ? `Last changed ${dateOfInstant(taste.changed_at)}`
              : 'Not answered yet'
        }
      />
      <RowLink to="/gift" icon={Gift} title="Gifts" detail="Give a membership, or redeem one" />
      <RowLink to="/account/data" icon={FolderDown} title="Your Data" detail="Download or delete it" />
    </RowList>
  );
}
