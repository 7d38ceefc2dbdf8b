import Download from 'lucide-react/icons/download';
import { AnchorButton } from '../ui/link-button.tsx';

/** The URL of a file in the API, with the parameters that are set. */
export function fileUrl(path: string, given: object): string {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(set).toString();
  return `${path}${query && `?${query}`}`;
}

interface CsvLinkProps {
  /** The file's URL in the API. */
  href: string;
  /** The file's contents, for screen readers. */
  label: string;
}

/** Downloads the page's data as a file for spreadsheets. */
export function CsvLink({ href, label }: CsvLinkProps) {
  return (
    <AnchorButton
      variant="quiet"
      size="sm"
      href={href}
      download
      aria-label={label}
      icon={<Download size={18} aria-hidden="true" />}
    >
      CSV
    </AnchorButton>
  );
}
