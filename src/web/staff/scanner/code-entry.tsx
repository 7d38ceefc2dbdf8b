import Camera from 'lucide-react/icons/camera';
import type { FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';

interface CodeEntryProps {
  code: string;
  verifying: boolean;
  onCodeChange: (code: string) => void;
  onVerify: () => void;
  onUseCamera: () => void;
}

/** For a code sent to staff, or one unreadable by camera. */
export function CodeEntry({ code, verifying, onCodeChange, onVerify, onUseCamera }: CodeEntryProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onVerify();
  };
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="QR code"
          placeholder="Paste QR code here..."
          hint="USB scanners work here too. Just scan."
          autoFocus
          onFocus={(event) => event.target.select()}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={code}
          onChange={(event) => onCodeChange(event.target.value)}
        />
        <Button
          type="submit"
          size="xl"
          block
          busy={verifying}
          busyLabel="Verifying..."
          disabled={verifying || code.trim() === ''}
        >
          Verify Code
        </Button>
        <Button
          variant="secondary"
          size="lg"
          block
          icon={<Camera size={22} aria-hidden="true" />}
          onClick={onUseCamera}
        >
          Use Camera
        </Button>
      </form>
    </Card>
  );
}
