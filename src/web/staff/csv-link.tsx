import { Download } from 'lucide-react';
import { AnchorButton } from '../ui/link-button.tsx';

interface CsvLinkProps {
  /** Where the API has the file. */
  href: string;
  /** What is in it, for who does not see where the button stands. */
  label: string;
}

/** Downloads what is shown as a file for spreadsheets. */
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
