import Check from 'lucide-react/icons/check';
import GlassWater from 'lucide-react/icons/glass-water';
import { Button } from '../../../ui/button.tsx';

interface WaterReminderProps {
  /** Within two hours, including those about to be poured. */
  glasses: number;
  offered: boolean;
  disabled: boolean;
  onChange: (offered: boolean) => void;
}

/** Reminds staff to offer water, and records with one tap that they did. A pour never waits for it. */
export function WaterReminder({ glasses, offered, disabled, onChange }: WaterReminderProps) {
  const Sign = offered ? Check : GlassWater;
  return (
    <div
      role="status"
      className="flex items-center justify-between gap-2 rounded-md bg-warning-soft py-1 pr-1 pl-3 text-sm pinned:p-0"
    >
      {/* On a phone, the card above says how many. */}
      <p className="min-w-0 pinned:sr-only font-semibold text-warning">
        {glasses} glasses within 2 hours, with this pour
      </p>
      <Button
        variant={offered ? 'primary' : 'secondary'}
        size="sm"
        className="shrink-0 pinned:min-h-11"
        aria-pressed={offered}
        disabled={disabled}
        icon={<Sign size={18} aria-hidden="true" />}
        onClick={() => onChange(!offered)}
      >
        Offered Water
      </Button>
    </div>
  );
}
