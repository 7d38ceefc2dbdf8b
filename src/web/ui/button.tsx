import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { type ButtonStyle, buttonStyle } from './button-style.ts';
import { Ring } from './ring.tsx';

export interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  busyLabel?: ReactNode;
  busy?: boolean;
  icon?: ReactNode;
}

export function Button({
  variant,
  size,
  block,
  busy = false,
  busyLabel,
  icon,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  // Not `disabled` while busy, because that would lose the keyboard focus. Preventing the click also prevents the
  // implicit submit of a form, which clicks this button.
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={click}
      className={buttonStyle({ variant, size, block }, className)}
    >
      {busy ? <Ring className="size-[1.1em]" /> : icon}
      <span aria-live={busyLabel ? 'polite' : undefined}>{busy && busyLabel ? busyLabel : children}</span>
    </button>
  );
}
