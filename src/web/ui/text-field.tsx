import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { controlProps, controlStyle, FieldFrame, type FieldProps } from './field.tsx';

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'className'> {
  icon?: ReactNode;
}

export function TextField(props: TextFieldProps) {
  const { icon, ...input } = controlProps(props);
  return (
    <FieldFrame {...props}>
      {(control) => (
        <div className="relative">
          {icon && (
            <span className="pointer-events-none absolute inset-y-0 left-0 grid w-11 place-items-center text-ink-muted">
              {icon}
            </span>
          )}
          <input
            type="text"
            {...input}
            {...control}
            className={classNames(controlStyle, icon ? 'pl-11' : undefined)}
          />
        </div>
      )}
    </FieldFrame>
  );
}
