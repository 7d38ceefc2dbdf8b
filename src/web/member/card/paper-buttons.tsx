import Download from 'lucide-react/icons/download';
import Printer from 'lucide-react/icons/printer';
import { useEffect, useState } from 'react';
import { site } from '../../api/site.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { qrPng, saveBlob } from '../../ui/qr-png.ts';
import { toast } from '../../ui/toast.ts';
import { codeFileName } from './code-file-name.ts';
import type { PaperCode } from './use-paper-card.ts';

const QR_SIZE_PX = 300;
const ICON = { size: 18, 'aria-hidden': true, className: 'hidden min-[26rem]:block' } as const;

interface PaperButtonsProps {
  firstName: string;
  paper: PaperCode;
  /** The paper code drawn so far. */
  onPage: string | null;
}

/** The buttons Download QR and Print Card, for the fixed code. */
export function PaperButtons({ firstName, paper, onPage }: PaperButtonsProps) {
  const [printing, setPrinting] = useState(false);
  const { token, available, busy, prepare } = paper;

  useEffect(() => {
    if (!printing || !token || onPage !== token) return;
    setPrinting(false);
    window.print();
  }, [printing, token, onPage]);

  const download = async () => {
    const code = await prepare();
    if (!code) return;
    try {
      saveBlob(await qrPng(code, QR_SIZE_PX), codeFileName(firstName));
    } catch {
      toast.error('We couldn’t download the QR code. Please try again.');
    }
  };
  // Prints once the code is on the page.
  const print = async () => setPrinting((await prepare()) !== null);

  return (
    <div className="print-hidden grid gap-3 min-[22rem]:grid-cols-2 lying:grid-cols-1!">
      <Button
        variant="secondary"
        disabled={!available}
        busy={busy}
        icon={<Download {...ICON} />}
        onClick={download}
      >
        Download QR
      </Button>
      <Button
        variant="secondary"
        disabled={!available}
        busy={busy}
        icon={<Printer {...ICON} />}
        onClick={print}
      >
        Print Card
      </Button>
    </div>
  );
}

/** Explains the paper code, and replaces it. */
export function PaperNote({ paper }: { paper: PaperCode }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <p className="print-hidden text-balance text-center text-ink-muted text-sm">
        {paper.available
          ? site.wallets.length > 0
            ? 'The code in your wallet, or that you download or print, stays the same.'
            : 'The code you download or print stays the same.'
          : 'You can download or print your card when you’re back online.'}
        {paper.token && (
          <>
            {' '}
            <button
              type="button"
              className="-my-2 inline-block py-2 font-semibold text-accent-text underline underline-offset-4"
              onClick={() => setAsking(true)}
            >
              Lost it? Get a new one
            </button>
          </>
        )}
      </p>
      <AlertDialog
        open={asking}
        title="Replace your printed card?"
        description="Every code you downloaded or printed will stop working. Our staff will see that it was replaced. The code on this screen is not affected."
        confirmLabel="Get a New Code"
        busyLabel="Replacing..."
        cancelLabel="Keep It"
        busy={paper.busy}
        onConfirm={async () => {
          await paper.replace();
          setAsking(false);
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
