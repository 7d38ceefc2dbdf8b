import { classNames } from '../ui/class-names.ts';
import { type Option, SelectControl } from '../ui/select-field.tsx';

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

export function FilterSelect({ label, any, options, value, onChange }: FilterSelectProps) {
  return (
    <SelectControl
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      options={options}
      arrow="right-2.5"
      className={classNames(filterControl(value !== undefined), 'pr-9')}
    >
      <option value="">{any}</option>
    </SelectControl>
  );
}
