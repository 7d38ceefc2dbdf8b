import { Check, GlassWater } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

interface WaterQuestionProps {
  glasses: number;
  offered: boolean;
  /** Staff tried to pour without answering. */
  unanswered: boolean;
  disabled: boolean;
  onChange: (offered: boolean) => void;
}

/** Asks staff to offer water first. One tap, or a note, is enough, and the glass can be poured. */
export function WaterQuestion({ glasses, offered, unanswered, disabled, onChange }: WaterQuestionProps) {
  return (
    <Notice
      tone={unanswered ? 'danger' : 'warning'}
      role={unanswered ? 'alert' : 'status'}
      title={`${glasses} glasses within 2 hours`}
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
      {unanswered
        ? 'Tap ‘Offered Water’ or add a note, then pour.'
        : 'Offer water before you pour, or add a note.'}
    </Notice>
  );
}
