import Copy from 'lucide-react/icons/copy';
import { Button } from '../../ui/button.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { toast } from '../../ui/toast.ts';

interface ShareLinkProps {
  url: string;
  /** The QR code's label for screen readers. */
  title: string;
}

/** A link to pass on, as a QR code for another phone and to copy. Shown once. */
export function ShareLink({ url, title }: ShareLinkProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast.success('Link copied');
    } catch {
      toast.error('The link could not be copied. Select it instead.');
    }
  };
  return (
    <div className="mt-4 flex flex-col items-center gap-3 rounded-lg border border-line p-4">
      <QrCode text={url} size={220} title={title} />
      <p className="w-full select-all break-all text-center text-ink-muted text-sm">{url}</p>
      <Button
        variant="secondary"
        size="sm"
        icon={<Copy size={18} aria-hidden="true" />}
        onClick={() => void copy()}
      >
        Copy Link
      </Button>
    </div>
  );
}
