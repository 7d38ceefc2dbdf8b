import Download from 'lucide-react/icons/download';
import { AnchorButton } from '../ui/link-button.tsx';

/** The URL of a file in the API, with the parameters that are set. */
export function fileUrl(path: string, parameters: object): string {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(entries).toString();
  return `${path}${query && `?${query}`}`;
}

/** `label`: the file's contents, for screen readers. */
export function CsvLink({ href, label }: { href: string; label: string }) {
  return (
    <AnchorButton
      variant="quiet"
      size="sm"
      href={href}
      download
      aria-label={label}
      icon={<Download size={18} />}
    >
      CSV
    </AnchorButton>
  );
}
