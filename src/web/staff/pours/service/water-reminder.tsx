import Check from 'lucide-react/icons/check';
import GlassWater from 'lucide-react/icons/glass-water';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

interface WaterReminderProps {
  /** Within two hours, including those about to be poured. */
  glasses: number;
  offered: boolean;
  disabled: boolean;
  onChange: (offered: boolean) => void;
}

/** Reminds staff to offer water, and records with one tap that they did. A pour never waits for it. */
export function WaterReminder({ glasses, offered, disabled, onChange }: WaterReminderProps) {
  return (
    <Notice
      tone="warning"
      role="status"
      title={`${glasses} glasses within 2 hours, with this pour`}
      action={
        <Button
          variant={offered ? 'primary' : 'secondary'}
          size="lg"
          block
          aria-pressed={offered}
          disabled={disabled}
          icon={
            offered ? <Check size={20} aria-hidden="true" /> : <GlassWater size={20} aria-hidden="true" />
          }
          onClick={() => onChange(!offered)}
        >
          Offered Water
        </Button>
      }
    >
      Offer some water with it.
    </Notice>
  );
}
