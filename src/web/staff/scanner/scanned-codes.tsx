import { useState } from 'react';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { unfinishedEntry } from '../../ui/unfinished-entry.ts';
import { useKeyboardWedge } from './keyboard-wedge.ts';
import { useVerifyCard } from './use-verify-card.ts';

/** Hears a scanner that types, on every staff page without a scanner of its own, and opens the member. */
export function ScannedCodes() {
  const [codes, setCodes] = useState<string[] | null>(null);
  const { verify } = useVerifyCard(() => undefined);
  useKeyboardWedge((scanned) => {
    const entry = unfinishedEntry();
    // The answer would arrive on the next member's page.
    if (entry === 'sending') toast.info('Still sending. Scan again in a moment.');
    else if (entry === 'typed') setCodes(scanned);
    else verify(...scanned);
  });
  return (
    <AlertDialog
      open={codes !== null}
      title="Open the scanned card?"
      description="What you entered on this page is not saved yet."
      confirmLabel="Open the Card"
      cancelLabel="Stay Here"
      onConfirm={() => {
        setCodes(null);
        verify(...(codes ?? []));
      }}
      onClose={() => setCodes(null)}
    />
  );
}
