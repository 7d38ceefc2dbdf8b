import Camera from 'lucide-react/icons/camera';
import type { FormEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Refusal } from './use-verify-card.ts';

interface CodeEntryProps {
  code: string;
  verifying: boolean;
  /** Stays on screen after its toast. */
  refusal: Refusal | null;
  onCodeChange: (code: string) => void;
  onVerify: () => void;
  onUseCamera: () => void;
}

/** For a code sent to staff, or one unreadable by camera. */
export function CodeEntry({ code, verifying, refusal, onCodeChange, onVerify, onUseCamera }: CodeEntryProps) {
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
        {refusal?.description && (
          // Silent: the toast is read aloud. On a phone the toast is near, and Verify Code stays where it was.
          <Notice
            tone="danger"
            className="pinned:order-last"
            action={
              refusal.action && (
                <Button variant="secondary" size="sm" onClick={refusal.action.onClick}>
                  {refusal.action.label}
                </Button>
              )
            }
          >
            {refusal.description}
          </Notice>
        )}
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
