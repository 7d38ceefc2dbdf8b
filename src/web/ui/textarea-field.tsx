import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { controlProps, controlStyle, FieldFrame, type FieldProps } from './field.tsx';

interface TextareaFieldProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'className'> {}

export function TextareaField(props: TextareaFieldProps) {
  return (
    <FieldFrame {...props}>
      {(control) => (
        <textarea
          rows={3}
          {...controlProps(props)}
          {...control}
          className={classNames(controlStyle, 'field-sizing-content min-h-20 resize-y')}
        />
      )}
    </FieldFrame>
  );
}
