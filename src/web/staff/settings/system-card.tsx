import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

/** The way to the system page. */
export function SystemCard() {
  return (
    <Card title="System">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[48ch] text-ink-muted">
          Whether database, payments, email and backups are well, and what to do if not.
        </p>
        <LinkButton to="/staff/system" variant="secondary">
          See the System
        </LinkButton>
      </div>
    </Card>
  );
}
