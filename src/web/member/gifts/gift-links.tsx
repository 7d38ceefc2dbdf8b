import { Link } from '@tanstack/react-router';
import { site } from '../../api/site.ts';
import { classNames } from '../../ui/class-names.ts';

/** Discreet links to gifts, for users without a membership. */
export function GiftLinks({ className }: { className?: string }) {
  return (
    <p className={classNames('text-ink-muted text-sm', className)}>
      <Link to="/redeem" className="link">
        Redeem a gift
      </Link>
      {site.payments === 'on' && (
        <>
          {' · '}
          <Link to="/gift" className="link">
            Give a membership
          </Link>
        </>
      )}
    </p>
  );
}
