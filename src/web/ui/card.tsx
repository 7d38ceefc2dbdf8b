import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode;
  aside?: ReactNode;
  /** `plain` leaves the padding to the children, e.g. to a table. */
  padding?: 'normal' | 'plain';
  raised?: boolean;
}

/** Cards that belong together, as the parts of one panel. */
export function CardGroup({ children }: { children: ReactNode }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card *:rounded-none *:border-x-0 *:border-b-0 *:py-3.5 *:shadow-none *:first:border-t-0">
      {children}
    </div>
  );
}

export function Card({ title, aside, padding = 'normal', raised, className, children, ...rest }: CardProps) {
  const padded = padding === 'normal';
  return (
    <section
      {...rest}
      className={classNames(
        'rounded-lg border border-line bg-surface',
        raised ? 'shadow-raised' : 'shadow-card',
        padded && 'p-5 sm:p-7 lying:p-5!',
        className,
      )}
    >
      {(title || aside) && (
        <div
          className={classNames(
            'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 max-[24rem]:gap-x-2 [&>.button-quiet:last-child]:-mr-3 max-[24rem]:[&:has(>.button-quiet)>h2]:flex-1 max-[24rem]:[&:has(>.button-quiet)>h2]:basis-28',
            padded ? 'mb-4' : 'border-line border-b px-5 py-4 sm:px-7',
          )}
        >
          {title && <h2 className="text-xl">{title}</h2>}
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
