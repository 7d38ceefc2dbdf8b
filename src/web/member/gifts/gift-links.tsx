import { Link } from '@tanstack/react-router';
import { classNames } from '../../ui/class-names.ts';

/** Discreet links to gifts; `redeem` for users without a membership. */
export function GiftLinks({ redeem, className }: { redeem?: boolean; className?: string }) {
  return (
    <p className={classNames('text-center text-ink-muted text-sm', className)}>
      {redeem && (
        <>
          <Link to="/redeem" className="link">
            Redeem a gift
          </Link>
          {' · '}
        </>
      )}
      <Link to="/gift" className="link">
        Give a membership
      </Link>
    </p>
  );
}
