import { useNavigate, useRouter } from '@tanstack/react-router';
import Keyboard from 'lucide-react/icons/keyboard';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useOnline } from '../../ui/offline-notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useDarkByDefault } from '../../ui/theme.ts';
import { useWakeLock } from '../../ui/use-wake-lock.ts';
import { MuteButton } from '../feedback/mute-button.tsx';
import { BackToDashboard } from '../shell/back-links.tsx';
import { CodeEntry } from './code-entry.tsx';
import { useKeyboardWedge } from './keyboard-wedge.ts';
import { ScannerPanel } from './scanner-panel.tsx';
import { type Refusal, useVerifyCard } from './use-verify-card.ts';

/** Finds the member behind a code: by camera, by hand or with a USB scanner. */
export function VerifyPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const online = useOnline();
  const [mode, setMode] = useState<'camera' | 'manual'>('camera');
  const [code, setCode] = useState('');
  // After an invalid code, the camera or the form restarts; the typed text stays, selected.
  const [attempt, setAttempt] = useState(0);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { verify: check, verifying } = useVerifyCard((refused) => {
    setRefusal(refused);
    setAttempt((count) => count + 1);
  });
  const verify = (typed: string) => {
    setRefusal(null);
    check(typed);
  };
  useEffect(() => {
    // Preloads the next page, so that the first scan is fast and works even if the network then fails.
    void router.loadRouteChunk(router.routesById['/_staff/staff/customers/$id/add-pour']);
  }, [router]);
  useDarkByDefault();
  useWakeLock();
  useKeyboardWedge((typed) => {
    setCode(typed);
    verify(typed);
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
            icon={<Keyboard size={22} aria-hidden="true" />}
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
        <Notice tone="warning" role="status" title="You’re offline">
          Cards can only be verified online. You can still pour for the member on screen.
        </Notice>
      )}
    </PageShell>
  );
}
