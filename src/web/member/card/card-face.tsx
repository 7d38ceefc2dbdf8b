import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import Printer from 'lucide-react/icons/printer';
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { site } from '../../api/site.ts';
import { MembershipCard, type MembershipCardProps } from '../../brand/membership-card.tsx';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { qrPng } from '../../ui/qr-png.ts';
import { saveBlob } from '../../ui/save-blob.ts';
import { toast } from '../../ui/toast.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import type { PaperCode } from './use-paper-card.ts';
import { WalletButtons } from './wallet-buttons.tsx';

const QR_SIZE_PX = 300;

export interface CardFaceProps extends Omit<MembershipCardProps, 'name' | 'qr' | 'className'> {
  firstName: string;
  lastName: string;
  /** The text of the QR code; null while there is none. */
  text: string | null;
  codeTitle: string;
  fallback?: ReactNode;
  note?: ReactNode;
  paper: PaperCode;
  wallet?: boolean;
}

export function CardFace(props: CardFaceProps) {
  const { firstName, lastName, text, codeTitle, fallback, note, paper, wallet = false, ...card } = props;
  // Each code is drawn separately, after the card: it takes a slow phone as long as the rest of the page.
  const onScreen = useDeferredValue(text, null);
  const onPaper = useDeferredValue(paper.token ?? text, null);

  useWakeLock(text !== null);

  return (
    <>
      {/* Wider than the text on phones, so that the code is still 300 px on a 390 px screen. */}
      <div className="-mx-2.5 sm:mx-0 lying:mx-0 lying:w-[calc(min(300px,100dvh-4.75rem-var(--above-page))+15rem)] print:mx-auto print:w-[86mm] print:max-w-full print:break-inside-avoid print:[print-color-adjust:exact]">
        <MembershipCard
          {...card}
          name={`${firstName} ${lastName}`}
          className="print:shadow-none"
          qr={
            <>
              {text ? (
                <QrCode text={onScreen} size={QR_SIZE_PX} title={codeTitle} className="print-hidden" />
              ) : (
                <div className="print-hidden grid min-h-75 w-75 max-w-full place-items-center p-5 text-center text-black lying:min-h-0">
                  {fallback}
                </div>
              )}
              {onPaper && (
                <QrCode
                  text={onPaper}
                  size={QR_SIZE_PX}
                  title={`${codeTitle}, for paper`}
                  className="hidden print:block"
                />
              )}
            </>
          }
        />
      </div>
      {note}
      {wallet && <WalletButtons />}
      <PaperButtons firstName={firstName} paper={paper} onPage={onPaper} />
      {(paper.token !== text || !paper.available) && <PaperNote paper={paper} />}
      {site.demo && text && <CopyCode text={text} />}
    </>
  );
}

function CopyCode({ text }: { text: string }) {
  return (
    <section
      aria-label="For the demo"
      className="print-hidden flex flex-col items-center gap-3 rounded-lg border border-line p-4"
    >
      <p className="text-balance text-center text-ink-muted text-sm">
        Demo: no scanner at hand? Copy the code’s text, sign in as staff in a private window, and paste it
        under Enter Code Manually.
      </p>
      <p className="w-full select-all text-balance break-all text-center text-ink-muted text-sm">{text}</p>
      <Button
        variant="secondary"
        size="sm"
        icon={<Copy size={18} aria-hidden="true" />}
        onClick={() => copyText(text, 'Code copied', 'We couldn’t copy the code. Select it instead.')}
      >
        Copy Code
      </Button>
    </section>
  );
}

const ICON = { size: 18, 'aria-hidden': true, className: 'hidden min-[26rem]:block' } as const;

interface PaperButtonsProps {
  firstName: string;
  paper: PaperCode;
  /** The paper code drawn so far. */
  onPage: string | null;
}

function PaperButtons({ firstName, paper, onPage }: PaperButtonsProps) {
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

function PaperNote({ paper }: { paper: PaperCode }) {
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
        description="Every code you downloaded, printed or added to a wallet will stop working. Our staff will see that it was replaced. The code on this screen is not affected."
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

/** 'Ada' -> 'Ada-qr-code.png', without characters that file systems refuse. */
export function codeFileName(firstName: string): string {
  const name = firstName
    .normalize('NFC')
    .replace(/[^\p{Letter}\p{Mark}\p{Number}' -]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
  return `${name || 'member'}-qr-code.png`;
}
