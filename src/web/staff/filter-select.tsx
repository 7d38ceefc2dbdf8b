import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import type { Option } from '../ui/select-field.tsx';

/** The look of a filter above a list; one that is set stands out. */
export const filterControl = (isSet: boolean): string =>
  classNames(
    'min-h-11 rounded-md border bg-surface-raised px-3 text-sm text-ink hover:border-ink focus-visible:outline-offset-0',
    isSet ? 'border-accent-text font-semibold' : 'border-line-strong',
  );

export interface FilterSelectProps {
  label: string;
  /** The first option, which does not filter. */
  any: string;
  options: readonly Option[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A select whose first option does not filter. */
export function FilterSelect({ label, any, options, value, onChange }: FilterSelectProps) {
  return (
    <span className="relative">
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
        className={classNames(filterControl(value !== undefined), 'appearance-none pr-9')}
      >
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        shape="down"
        size={16}
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-muted"
      />
    </span>
  );
}
