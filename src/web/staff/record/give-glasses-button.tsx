import Gift from 'lucide-react/icons/gift';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { GiveGlassesDialog } from './give-glasses-dialog.tsx';

/** Opens the dialog that gives glasses, or takes some back. */
export function GiveGlassesButton({ customerId, available }: { customerId: string; available: number }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        icon={<Gift size={18} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        Give or Take Back Pours
      </Button>
      {open && <GiveGlassesDialog {...{ customerId, available }} onClose={() => setOpen(false)} />}
    </>
  );
}
