import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import type { FieldProps } from './field.tsx';
import { controlStyle, FieldFrame } from './field.tsx';
import { Icon } from './icon.tsx';

export interface Option<Value extends string = string> {
  value: Value;
  label: string;
}

interface SelectFieldProps extends FieldProps, Omit<ComponentProps<'select'>, 'className' | 'children'> {
  options: readonly Option[];
  /** An empty first option that cannot be chosen, e.g. 'Choose'. */
  placeholder?: string;
}

/** The platform's own select, which is the fastest to use on a phone. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className,
  options,
  placeholder,
  ...select
}: SelectFieldProps) {
  return (
    <FieldFrame {...{ label, hint, error, optional, labelHidden, className }} id={select.id}>
      {(control) => (
        <div className="relative">
          <select {...select} {...control} className={classNames(controlStyle, 'appearance-none pr-11')}>
            {placeholder && (
              <option value="" disabled hidden>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon
            shape="down"
            size={18}
            className="pointer-events-none absolute top-1/2 right-3.5 -translate-y-1/2 text-ink-muted"
          />
        </div>
      )}
    </FieldFrame>
  );
}
