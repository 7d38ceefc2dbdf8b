import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import type { ButtonLook } from './button-look.ts';
import { buttonLook } from './button-look.ts';

interface AnchorButtonProps extends ComponentProps<'a'>, ButtonLook {
  icon?: ReactNode;
}

/** For addresses outside the app (mailto:, the payment page). */
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
    <a {...rest} className={buttonLook({ variant, size, block }, className)}>
      {icon}
      <span>{children}</span>
    </a>
  );
}

/** A link to a route of the app that looks like a button: `to`, `params`, `search`, `state` as on <Link>. */
export const LinkButton = createLink(AnchorButton);
