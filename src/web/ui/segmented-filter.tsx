import { useId } from 'react';
import { classNames } from './class-names.ts';
import type { Option } from './select-field.tsx';

interface SegmentedFilterProps<Value extends string> {
  label: string;
  options: readonly Option<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  className?: string;
}

/** Picks one of a few visible options. Built on radio buttons, for the keyboard and screen readers. */
export function SegmentedFilter<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  className,
}: SegmentedFilterProps<Value>) {
  const name = useId();
  return (
    <fieldset className={classNames('min-w-0', className)}>
      <legend className="visually-hidden">{label}</legend>
      <div className="flex gap-6 overflow-x-auto border-line border-b">
        {options.map((option) => (
          <label
            key={option.value}
            className="target relative flex cursor-pointer items-center justify-center whitespace-nowrap rounded-sm font-medium text-ink-muted text-sm after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 hover:text-ink has-checked:text-accent-text has-checked:after:bg-accent-text has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:-outline-offset-3"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="visually-hidden"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
