import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { controlProps, controlStyle, FieldFrame, type FieldProps } from './field.tsx';
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

interface SelectControlProps extends ComponentProps<'select'> {
  options: readonly Option[];
  arrow: string;
}

/** The platform's own select, which is the fastest to use on a phone; `children` come before the options. */
export function SelectControl({ options, arrow, className, children, ...select }: SelectControlProps) {
  return (
    <span className="relative block">
      <select {...select} className={classNames(className, 'appearance-none')}>
        {children}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon
        shape="down"
        size={18}
        className={classNames('pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-muted', arrow)}
      />
    </span>
  );
}

export function SelectField(props: SelectFieldProps) {
  const { options, placeholder, ...select } = controlProps(props);
  return (
    <FieldFrame {...props}>
      {(control) => (
        <SelectControl
          {...select}
          {...control}
          options={options}
          arrow="right-3.5 max-[22rem]:right-2.5"
          className={classNames(controlStyle, 'pr-11 max-[22rem]:pr-8 max-[22rem]:pl-2.5')}
        >
          {placeholder && (
            <option value="" disabled hidden>
              {placeholder}
            </option>
          )}
        </SelectControl>
      )}
    </FieldFrame>
  );
}
