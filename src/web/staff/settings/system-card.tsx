import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

/** The way to the system page. */
export function SystemCard() {
  return (
    <Card title="System">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="text-ink-muted">What is well, and what to do if something is not.</p>
        <LinkButton to="/staff/system" variant="secondary">
          See the System
        </LinkButton>
      </div>
    </Card>
  );
}
