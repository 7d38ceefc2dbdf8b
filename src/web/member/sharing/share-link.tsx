import Copy from 'lucide-react/icons/copy';
import Share2 from 'lucide-react/icons/share-2';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { QrCode } from '../../ui/qr-code.tsx';

/** Opens the device's own choice of apps. Closing it is no failure. */
const share = (url: string) => navigator.share({ url }).catch(() => undefined);

/** A link to pass on, as a QR code for another phone, to share or to copy. Shown once: only its hash is stored. */
export function ShareLink({ url, title }: { url: string; title: string }) {
  return (
    <div className="mt-4 flex flex-col items-center gap-3 rounded-lg border border-line p-4">
      <QrCode text={url} size={220} title={title} />
      <p className="w-full select-all break-all text-center text-ink-muted text-sm">{url}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {'share' in navigator && (
          <Button size="sm" icon={<Share2 size={18} aria-hidden="true" />} onClick={() => void share(url)}>
            Share Link
          </Button>
        )}
        <Button
          variant="secondary"
          size="sm"
          icon={<Copy size={18} aria-hidden="true" />}
          onClick={() => copyText(url, 'Link copied', 'We couldn’t copy the link. Select it instead.')}
        >
          Copy Link
        </Button>
      </div>
      <p className="text-balance text-center text-ink-muted text-sm">
        We show this link only now. If you lose it, make a new one.
      </p>
    </div>
  );
}
