import { useNavigate, useRouter } from '@tanstack/react-router';
import Camera from 'lucide-react/icons/camera';
import Keyboard from 'lucide-react/icons/keyboard';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useOnline } from '../../ui/offline-notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDarkByDefault } from '../../ui/theme.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import { MuteButton } from '../feedback/mute-button.tsx';
import { BackToDashboard } from '../shell/back-links.tsx';
import { useKeyboardWedge } from './keyboard-wedge.ts';
import { ScannerPanel } from './scanner-panel.tsx';
import { type Refusal, useVerifyCard } from './use-verify-card.ts';

export default function VerifyPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const online = useOnline();
  const [mode, setMode] = useState<'camera' | 'manual'>('camera');
  const [code, setCode] = useState('');
  // After an invalid code, the camera or the form restarts; the typed text stays, selected.
  const [attempt, setAttempt] = useState(0);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { verify: check, verifying } = useVerifyCard((next) => {
    setRefusal(next);
    setAttempt((count) => count + 1);
  });
  const verify = (...codes: string[]) => {
    setRefusal(null);
    check(...codes);
  };
  useEffect(() => {
    // Preloads the next page, so that the first scan is fast and works even if the network then fails.
    void router.loadRouteChunk(router.routesById['/_staff/staff/customers/$id/add-pour']);
  }, [router]);
  useDarkByDefault();
  useWakeLock();
  useKeyboardWedge((codes) => {
    setCode(codes[0] ?? '');
    verify(...codes);
  });

  return (
    <PageShell
      title="Scan"
      width="narrow"
      beside={mode === 'camera'}
      back={<BackToDashboard />}
      actions={<MuteButton />}
    >
      {mode === 'camera' ? (
        <>
          <ScannerPanel
            key={attempt}
            onDecoded={verify}
            onClose={() => navigate({ to: '/staff/dashboard' })}
          />
          <Button
            variant="secondary"
            size="lg"
            block
            className="lying:px-3 lying:text-base"
            icon={<Keyboard size={22} />}
            onClick={() => {
              setRefusal(null);
              setMode('manual');
            }}
          >
            Enter Code Manually
          </Button>
        </>
      ) : (
        <CodeEntry
          key={attempt}
          code={code}
          verifying={verifying}
          refusal={refusal}
          onCodeChange={(typed) => {
            setRefusal(null);
            setCode(typed);
          }}
          onVerify={() => verify(code)}
          onUseCamera={() => {
            setRefusal(null);
            setMode('camera');
          }}
        />
      )}
      {!online && (
        <Notice
          tone="warning"
          role="status"
          title="You’re offline"
          action={
            <LinkButton to="/staff/dashboard" variant="secondary" size="sm">
              Members Seen on This Device
            </LinkButton>
          }
        >
          Cards can only be verified online. You can still pour for members seen on this device.
        </Notice>
      )}
    </PageShell>
  );
}

interface CodeEntryProps {
  code: string;
  verifying: boolean;
  /** Stays on screen after its toast. */
  refusal: Refusal | null;
  onCodeChange: (code: string) => void;
  onVerify: () => void;
  onUseCamera: () => void;
}

function CodeEntry({ code, verifying, refusal, onCodeChange, onVerify, onUseCamera }: CodeEntryProps) {
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
          data-codes
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
        <Button variant="secondary" size="lg" block icon={<Camera size={22} />} onClick={onUseCamera}>
          Use Camera
        </Button>
      </form>
    </Card>
  );
}
