import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Adds '(optional)' after the label. */
  optional?: boolean;
  /** Keeps the label for screen readers only, e.g. for a search box with a placeholder. */
  labelHidden?: boolean;
  /** Class of the whole field, not of the control. */
  className?: string;
}

interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldFrameProps extends FieldProps {
  id?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Two short fields: in one row on a phone in landscape, where a dialog is wide and low. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className="flex lying:grid lying:grid-cols-2 flex-col gap-5">{children}</div>;
}

export const controlStyle =
  'block w-full min-h-12 rounded-md border bg-surface-raised px-3.5 py-2.5 text-base text-ink placeholder:text-ink-muted transition-colors duration-150 border-line-strong hover:border-ink focus-visible:border-focus focus-visible:outline-offset-0 focus-visible:outline-2 aria-invalid:border-danger disabled:opacity-60';

/** The attributes of the control itself, out of the props of a whole field. */
export function controlProps<Props extends FieldProps>(props: Props) {
  const { label, hint, error, optional, labelHidden, className, ...control } = props;
  return control;
}

export function FieldFrame(props: FieldFrameProps) {
  const { label, hint, error, optional, labelHidden, className, children } = props;
  const generatedId = useId();
  const id = props.id ?? generatedId;
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-semibold text-ink'}>
        {label}
        {optional && <span className="font-normal text-ink-muted"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
