import { type ComponentProps, useState } from 'react';
import { classNames } from './class-names.ts';
import { controlProps, controlStyle, FieldFrame, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

interface PasswordFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'className' | 'type'> {
  autoComplete: 'current-password' | 'new-password';
}

export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <FieldFrame {...props}>
      {(control) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...controlProps(props)}
            {...control}
            type={isShown ? 'text' : 'password'}
            className={classNames(controlStyle, 'pr-13')}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-controls={control.id}
            aria-label={isShown ? 'Hide password' : 'Show password'}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-12 place-items-center text-ink-muted hover:text-ink"
          >
            <Icon shape={isShown ? 'eyeOff' : 'eye'} />
          </button>
        </div>
      )}
    </FieldFrame>
  );
}
