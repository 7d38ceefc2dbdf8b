import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { FieldFrame, type FieldProps } from './field.tsx';

interface StepperProps extends Omit<FieldProps, 'optional'> {
  /** The number as typed; empty while being rewritten. */
  value: string;
  min?: number;
  max: number;
  name?: string;
  required?: boolean;
  disabled?: boolean;
  onChange: (event: { target: { value: string } }) => void;
  onBlur?: () => void;
}

const box =
  'plain-number block min-h-16 w-full min-w-0 rounded-md border border-line-strong bg-surface-raised text-center font-title text-4xl text-ink lining-nums tabular-nums hover:border-ink focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60';

const button =
  'grid size-16 shrink-0 place-items-center lying:w-12 rounded-md border border-line-strong bg-surface text-ink hover-ready:border-ink disabled:opacity-40';

/** A whole number with a thumb-sized button on either side. Takes `form.field('quantity')` of useForm. */
export function Stepper(props: StepperProps) {
  const { label, hint, error, labelHidden, className } = props;
  const { value, min = 1, max, name, required, disabled, onChange, onBlur } = props;
  const number = Number.parseInt(value, 10) || 0;
  const step = (by: 1 | -1) => onChange({ target: { value: String(number + by) } });
  return (
    <FieldFrame {...{ label, hint, error, labelHidden, className }}>
      {(control) => (
        <div className="flex items-stretch gap-2">
          <button
            type="button"
            aria-label="One fewer"
            className={button}
            disabled={disabled || number <= min}
            onClick={() => step(-1)}
          >
            <Minus size={26} aria-hidden="true" />
          </button>
          <input
            {...control}
            {...{ name, required, disabled, value, min, max, onChange, onBlur }}
            type="number"
            inputMode="numeric"
            step={1}
            className={box}
          />
          <button
            type="button"
            aria-label="One more"
            className={button}
            disabled={disabled || number >= max}
            onClick={() => step(1)}
          >
            <Plus size={26} aria-hidden="true" />
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
