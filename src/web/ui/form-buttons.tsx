import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface FormButtonsProps {
  /** The label of the submit button. */
  children: ReactNode;
  busy: boolean;
  busyLabel: string;
  onCancel: () => void;
}

export function FormButtons({ children, busy, busyLabel, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={busy} busyLabel={busyLabel}>
        {children}
      </Button>
      <Button variant="secondary" disabled={busy} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
