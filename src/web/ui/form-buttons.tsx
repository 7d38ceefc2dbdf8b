import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import type { ButtonVariant } from './button-style.ts';

interface FormButtonsProps {
  children: ReactNode;
  variant?: ButtonVariant;
  busy: boolean;
  busyLabel: string;
  onCancel: () => void;
}

export function FormButtons({ children, variant, busy, busyLabel, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant={variant} busy={busy} busyLabel={busyLabel}>
        {children}
      </Button>
      <Button variant="secondary" disabled={busy} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
