import { useNavigate } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';
import { CodeEntry } from './code-entry.tsx';
import { ScannerPanel } from './scanner-panel.tsx';
import { useCardCheck } from './use-card-check.ts';
import { useKeyboardWedge } from './use-keyboard-wedge.ts';

/** Finds the member behind a code: by camera, by hand, or by a scanner that types. */
export function CardSearchPage() {
  const navigate = useNavigate();
  const [mode, setMode] = useState<'camera' | 'manual'>('camera');
  const [code, setCode] = useState('');
  // A refused code must not be in the way of the next: the camera starts afresh, the box is emptied.
  const [round, setRound] = useState(0);
  const startAfresh = () => setRound((count) => count + 1);
  const { check, checking } = useCardCheck({
    onRefused: () => {
      setCode('');
      startAfresh();
    },
    onFailed: startAfresh,
  });
  useKeyboardWedge((typed) => {
    setCode(typed);
    check(typed);
  });

  return (
    <PageShell
      title="Verify Member"
      width="narrow"
      back={<BackLink to="/staff/dashboard">Back to Dashboard</BackLink>}
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
    </PageShell>
  );
}
