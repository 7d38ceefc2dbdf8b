import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

function BackAnchor({ children, className, ...rest }: ComponentProps<'a'>) {
  return (
    <a
      {...rest}
      className={classNames(
        'target -ml-1 inline-flex items-center gap-2 rounded-md pr-3 pl-1 max-[24rem]:pr-0 font-medium text-accent-text text-sm hover:underline',
        className,
      )}
    >
      <Icon shape="back" size={18} />
      {children}
    </a>
  );
}

export const BackLink = createLink(BackAnchor);
