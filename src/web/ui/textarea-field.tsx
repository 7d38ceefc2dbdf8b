import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import type { FieldProps } from './field.tsx';
import { controlStyle, FieldFrame } from './field.tsx';

interface TextareaFieldProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'className'> {}

export function TextareaField({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className,
  ...textarea
}: TextareaFieldProps) {
  return (
    <FieldFrame {...{ label, hint, error, optional, labelHidden, className }} id={textarea.id}>
      {(control) => (
        <textarea
          rows={3}
          {...textarea}
          {...control}
          className={classNames(controlStyle, 'field-sizing-content min-h-20 resize-y')}
        />
      )}
    </FieldFrame>
  );
}
