import type { ReactNode } from 'react';
import { site } from '../api/site.ts';
import { classNames } from '../ui/class-names.ts';
import { Crest } from './crest.tsx';
import { tierStyle } from './tier-style.ts';

export interface MembershipCardProps {
  name: string;
  tier: string;
  tierLabel: string;
  memberSince?: string;
  /** A <QrCode>. With it the card is tall, without it the shape of a bank card. */
  qr?: ReactNode;
  /** Replaces 'Member since', e.g. 'Application Pending'. */
  status?: string;
  change?: string;
  className?: string;
}

export function MembershipCard({
  name,
  tier,
  tierLabel,
  memberSince,
  qr,
  status,
  change,
  className,
}: MembershipCardProps) {
  const style = tierStyle(tier);
  return (
    <article
      aria-label={`${tierLabel} membership card of ${name}`}
      className={classNames(
        'membership-card @container flex w-full flex-col rounded-xl p-2 shadow-object',
        !qr && 'aspect-[1.586] short:aspect-auto',
        style.paper,
        className,
      )}
    >
      <div
        className={classNames(
          'flex flex-1 flex-col rounded-lg border @sm:p-5',
          qr
            ? 'p-3.5 short:p-2.5 lying:grid lying:grid-cols-[auto_minmax(0,1fr)] lying:gap-x-4 lying:gap-y-3 lying:p-3!'
            : 'p-4',
          style.line,
        )}
      >
        <div
          className={classNames(
            'flex items-start justify-between gap-3',
            qr ? 'lying:col-start-2' : undefined,
          )}
        >
          <p className="text-balance font-title text-xl leading-tight @sm:text-2xl">{site.club_name}</p>
          <Crest
            className={classNames('h-12 w-auto shrink-0 @sm:h-14', Boolean(qr) && 'short:h-8', style.crest)}
          />
        </div>
        {qr && (
          <div className="mx-auto my-4 short:my-2 w-fit max-w-full lying:col-start-1 lying:row-span-2 lying:row-start-1 lying:my-0 lying:w-[min(300px,calc(100dvh-4.75rem-var(--above-page)))] overflow-hidden rounded-md bg-white">
            {qr}
          </div>
        )}
        <div className={classNames('mt-auto', qr ? 'lying:col-start-2' : undefined)}>
          <p className="wrap-anywhere font-title text-xl leading-tight @sm:text-2xl">{name}</p>
          <div className={classNames('mt-1.5 flex items-end gap-x-3 text-sm', Boolean(qr) && 'lying:block')}>
            <div className="min-w-0">
              <p className="text-balance">{status ?? (memberSince && `Member since ${memberSince}`)}</p>
              {change && <p className="font-semibold">{change}</p>}
            </div>
            <p
              className={classNames(
                'eyebrow ml-auto shrink-0 border-t pt-1',
                Boolean(qr) && 'lying:border-t-0',
                style.line,
              )}
            >
              {tierLabel}
            </p>
          </div>
        </div>
      </div>
    </article>
  );
}
