import { Download, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { MembershipCard } from '../../brand/membership-card.tsx';
import { Button } from '../../ui/button.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { qrPng, saveBlob } from '../../ui/qr-png.ts';
import { toast } from '../../ui/toast.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import { codeFileName } from './code-file-name.ts';

const QR_SIZE_PX = 300;

interface CardFaceProps {
  firstName: string;
  lastName: string;
  tier: string;
  tierLabel: string;
  memberSince?: string;
  status?: string;
  /** What changes at the end of the period, e.g. 'Ends 12/14/2026'. */
  change?: string;
  /** The text of the QR code; null while there is none. */
  text: string | null;
  codeTitle: string;
  /** Shown in place of the code while there is none. */
  fallback?: ReactNode;
  /** Shown below the card: how long the code is valid. */
  note?: ReactNode;
}

export function CardFace(props: CardFaceProps) {
  const {
    firstName,
    lastName,
    tier,
    tierLabel,
    memberSince,
    status,
    change,
    text,
    codeTitle,
    fallback,
    note,
  } = props;

  useWakeLock(text !== null);

  const download = async () => {
    if (!text) return;
    try {
      saveBlob(await qrPng(text, QR_SIZE_PX), codeFileName(firstName));
    } catch {
      toast.error('The QR code could not be downloaded. Please try again.');
    }
  };

  return (
    <>
      {/* Wider than the text on phones, so that the code keeps its 300 px on a 390 px screen. */}
      <div className="-mx-2.5 sm:mx-0 lying:mx-0 lying:w-[calc(min(300px,100dvh-4.75rem)+15rem)] print:mx-auto print:w-[86mm] print:break-inside-avoid print:[print-color-adjust:exact]">
        <MembershipCard
          name={`${firstName} ${lastName}`}
          tier={tier}
          tierLabel={tierLabel}
          memberSince={memberSince}
          status={status}
          change={change}
          className="print:shadow-none"
          qr={
            text ? (
              <QrCode text={text} size={QR_SIZE_PX} title={codeTitle} />
            ) : (
              <div className="grid min-h-75 w-75 max-w-full place-items-center p-5 text-center text-black lying:min-h-0">
                {fallback}
              </div>
            )
          }
        />
      </div>
      {note}
      <div className="print-hidden grid gap-3 min-[22rem]:grid-cols-2">
        <Button
          variant="secondary"
          disabled={!text}
          icon={<Download size={18} aria-hidden="true" className="hidden min-[26rem]:block" />}
          onClick={download}
        >
          Download QR
        </Button>
        <Button
          variant="secondary"
          disabled={!text}
          icon={<Printer size={18} aria-hidden="true" className="hidden min-[26rem]:block" />}
          onClick={() => window.print()}
        >
          Print Card
        </Button>
      </div>
    </>
  );
}
