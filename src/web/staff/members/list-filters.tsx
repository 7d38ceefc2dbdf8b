import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import {
  LAST_VISIT_NAMES,
  type LastVisit,
  LISTED_DUES,
  LISTED_STANDINGS,
  type ListedDues,
} from '../../../domain/staff/member-filter.ts';
import { orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { useTierNames } from '../../api/use-tier-names.ts';
import { Button } from '../../ui/button.tsx';
import type { Option } from '../../ui/select-field.tsx';
import { FilterSelect, type FilterSelectProps, filterControl } from '../filter-select.tsx';
import { filterOf, type ListAddress, withoutFilter } from './list-address.ts';
import { STANDING_WORDS } from './list-columns.tsx';

const VISIT_WORDS: Record<LastVisit, string> = {
  'within-7': 'In the last 7 days',
  'within-30': 'In the last 30 days',
  'over-21': 'Not for 21 days',
  'over-60': 'Not for 60 days',
  'over-180': 'Not for 180 days',
  never: 'Never',
};

const DUES_WORDS: Record<ListedDues, string> = {
  due: 'Due',
  overdue: 'Overdue',
  not_counted: 'Not counted',
};

function DayFilter({ label, value, onChange }: Omit<FilterSelectProps, 'any' | 'options'>) {
  return (
    <label className="flex items-center gap-2 whitespace-nowrap text-ink-muted text-sm">
      {label}
      <input
        type="date"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
        className={filterControl(value !== undefined)}
      />
    </label>
  );
}

export function ListFilters({ address, folded }: { address: ListAddress; folded: boolean }) {
  const count = Object.keys(filterOf(address)).length;
  if (!folded) return <Filters address={address} folded={false} />;
  return (
    <details className="lying:open:w-full">
      <summary className="flex min-h-11 w-fit items-center gap-2 font-semibold text-accent-text text-sm">
        <SlidersHorizontal size={18} />
        Filters{count > 0 && `, ${count} set`}
      </summary>
      <Filters address={address} folded />
    </details>
  );
}

/** Shows the list at another address, in the place of this one. */
export function useShowList(): (search: ListAddress) => void {
  const navigate = useNavigate();
  return (search) => void navigate({ to: '.', hash: true, search, replace: true, resetScroll: false });
}

/** The venue's tags. A deleted tag in the URL is still shown, so that the filter can be seen and cleared. */
function useTagOptions(chosen: string | undefined): Option[] {
  const { data = [] } = useQuery(orpc.memberRecord.listTags.queryOptions());
  const options = data.map(({ id, label }) => ({ value: id, label }));
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: 'A tag nobody has' }];
}

export function ClearFilters({ address, variant }: { address: ListAddress; variant: 'quiet' | 'secondary' }) {
  const show = useShowList();
  return (
    <Button variant={variant} size="sm" onClick={() => show(withoutFilter(address))}>
      Clear Filters
    </Button>
  );
}

/**
 * Each choice changes the URL. The button that clears them is here only if `folded`; otherwise it stands with the list,
 * where there is room.
 */
function Filters({ address, folded }: { address: ListAddress; folded: boolean }) {
  const show = useShowList();
  const tiers = useTierNames();
  const tagOptions = useTagOptions(address.tag);
  const set = (change: Partial<ListAddress>) =>
    show(
      Object.fromEntries(
        Object.entries({ ...address, ...change }).filter(([, value]) => value !== undefined),
      ),
    );
  const isNarrowed = Object.keys(filterOf(address)).length > 0;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <FilterSelect
        label="Tier"
        any="Any tier"
        options={tiers.map(({ tier_name, display_name }) => ({ value: tier_name, label: display_name }))}
        value={address.tier}
        onChange={(tier) => set({ tier })}
      />
      <FilterSelect
        label="Standing"
        any="Any standing"
        options={LISTED_STANDINGS.map((value) => ({ value, label: STANDING_WORDS[value] }))}
        value={address.standing}
        onChange={(standing) => set({ standing: standing as ListAddress['standing'] })}
      />
      {tagOptions.length > 0 && (
        <FilterSelect
          label="Tag"
          any="Any tag"
          options={tagOptions}
          value={address.tag}
          onChange={(tag) => set({ tag })}
        />
      )}
      {site.payments === 'on' && (
        <FilterSelect
          label="Payment"
          any="Any payment"
          options={[
            { value: 'card', label: 'By card' },
            { value: 'venue', label: 'At the venue' },
          ]}
          value={address.payment}
          onChange={(payment) => set({ payment: payment as ListAddress['payment'] })}
        />
      )}
      <FilterSelect
        label="Payments at the venue"
        any="Any venue payments"
        options={LISTED_DUES.map((value) => ({ value, label: DUES_WORDS[value] }))}
        value={address.dues}
        onChange={(dues) => set({ dues: dues as ListedDues | undefined })}
      />
      <FilterSelect
        label="Last visit"
        any="Any last visit"
        options={LAST_VISIT_NAMES.map((value) => ({ value, label: VISIT_WORDS[value] }))}
        value={address.visited}
        onChange={(visited) => set({ visited: visited as LastVisit | undefined })}
      />
      <span className="flex flex-wrap items-center gap-2 sm:flex-nowrap">
        <DayFilter
          label="Joined from"
          value={address.joined_from}
          onChange={(joined_from) => set({ joined_from })}
        />
        <DayFilter label="to" value={address.joined_to} onChange={(joined_to) => set({ joined_to })} />
      </span>
      {folded && isNarrowed && <ClearFilters address={address} variant="quiet" />}
    </div>
  );
}
