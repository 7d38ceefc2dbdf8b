import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { saveBlob } from '../ui/qr-png.ts';

interface BackupCodesProps {
  codes: string[];
  onDone: () => void;
}

/** Shown once: the server keeps only hashes of them. */
export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const text = codes.join('\n');
  const copy = () =>
    copyText(text, 'Backup codes copied', 'We couldn’t copy the codes. Please write them down.');
  return (
    <div className="flex flex-col gap-5">
      <p>
        Save these backup codes where you can find them without your phone. Each works once. You will not see
        them again.
      </p>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md bg-surface-sunken p-4 font-code"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={copy}>
          Copy
        </Button>
        <Button
          variant="secondary"
          onClick={() => saveBlob(new Blob([`${text}\n`], { type: 'text/plain' }), 'backup-codes.txt')}
        >
          Download
        </Button>
        <Button onClick={onDone}>I’ve Saved Them</Button>
      </div>
    </div>
  );
}
