import { useNavigate, useRouter } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useOnline } from '../../ui/offline-notice.tsx';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { MuteButton } from '../feedback/mute-button.tsx';
import { CodeEntry } from './code-entry.tsx';
import { ScannerPanel } from './scanner-panel.tsx';
import { useKeyboardWedge } from './use-keyboard-wedge.ts';
import { useVerifyCard } from './use-verify-card.ts';

/** Finds the member behind a code: by camera, by hand, or by a scanner that types. */
export function VerifyPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const online = useOnline();
  const [mode, setMode] = useState<'camera' | 'manual'>('camera');
  const [code, setCode] = useState('');
  // A refused code must not be in the way of the next: the camera starts afresh, the box is emptied.
  const [round, setRound] = useState(0);
  const startAfresh = () => setRound((count) => count + 1);
  const { check, checking } = useVerifyCard({
    onRefused: () => {
      setCode('');
      startAfresh();
    },
    onFailed: startAfresh,
  });
  useEffect(() => {
    // The page where a good scan leads; without it the first one waits, and a scan before a lost network is in vain.
    void router.loadRouteChunk(router.routesById['/_staff/staff/customers/$id/add-pour']);
  }, [router]);
  useKeyboardWedge((typed) => {
    setCode(typed);
    check(typed);
  });

  return (
    <PageShell
      title="Verify Member"
      width="narrow"
      back={<BackLink to="/staff/dashboard">Back to Dashboard</BackLink>}
      actions={<MuteButton />}
    >
      {mode === 'camera' ? (
        <>
          <ScannerPanel key={round} onDecoded={check} onClose={() => navigate({ to: '/staff/dashboard' })} />
          <Button
            variant="secondary"
            size="lg"
            block
            icon={<Keyboard size={22} aria-hidden="true" />}
            onClick={() => setMode('manual')}
          >
            Enter Code Manually
          </Button>
        </>
      ) : (
        <CodeEntry
          key={round}
          code={code}
          checking={checking}
          onCodeChange={setCode}
          onVerify={() => check(code)}
          onUseCamera={() => setMode('camera')}
        />
      )}
      {!online && (
        <Notice tone="warning" role="status" title="You are offline">
          A card can only be checked online. A member who is already on the screen can still be poured.
        </Notice>
      )}
    </PageShell>
  );
}
