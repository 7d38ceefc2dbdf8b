import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { type ButtonStyle, buttonStyle } from './button-style.ts';

interface AnchorButtonProps extends ComponentProps<'a'>, ButtonStyle {
  icon?: ReactNode;
}

/** For links out of the app (mailto:, the payment page). */
export function AnchorButton({
  variant,
  size,
  block,
  icon,
  className,
  children,
  ...rest
}: AnchorButtonProps) {
  return (
    <a {...rest} className={buttonStyle({ variant, size, block }, className)}>
      {icon}
      <span>{children}</span>
    </a>
  );
}

/** A link within the app that looks like a button. Takes `to`, `params`, `search` and `state` like <Link>. */
export const LinkButton = createLink(AnchorButton);
