import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { ButtonStyle } from './button-look.ts';
import { buttonStyle } from './button-look.ts';

interface AnchorButtonProps extends ComponentProps<'a'>, ButtonStyle {
  icon?: ReactNode;
}

/** For URLs outside the app (mailto:, the payment page). */
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

/** A link to a route of the app that looks like a button: `to`, `params`, `search`, `state` as on <Link>. */
export const LinkButton = createLink(AnchorButton);
