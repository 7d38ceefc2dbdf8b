import { useState } from 'react';
import { createPortal } from 'react-dom';
import { START_OVER_PATH } from '../../contract/site.ts';
import { AlertDialog } from '../ui/alert-dialog.tsx';
import { toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';
import { STRIP_LINK } from './demo-banner.tsx';

/** Makes the demo's data again, and then loads the sign-in page, since nobody is signed in any more. */
export function StartOver() {
  const [asking, setAsking] = useState(false);
  const { busy, send } = useSend();
  const startOver = () =>
    send(
      async () => {
        await startDemoOver();
        window.location.assign('/login');
        // The dialog stays until the page is gone.
        await new Promise(() => undefined);
      },
      (error) => {
        setAsking(false);
        toast.error('We couldn’t start the demo over', {
          description: 'Stop the program and start it again.',
          of: error,
        });
      },
    );
  return (
    <>
      <button type="button" className={STRIP_LINK} onClick={() => setAsking(true)}>
        Start Over
      </button>
      {/* Outside the strip, whose small letters and color it would take on. */}
      {createPortal(
        <AlertDialog
          open={asking}
          title="Start the demo over?"
          description="Everything you tried is deleted, and the demo is as it was in the beginning. Everyone is signed out. It takes a few seconds."
          confirmLabel="Start Over"
          busyLabel="Starting over..."
          busy={busy}
          onConfirm={() => void startOver()}
          onClose={() => setAsking(false)}
        />,
        document.body,
      )}
    </>
  );
}

const ASK_EVERY_MS = 500;
const TIMEOUT_MS = 120_000;

/** How often the demo has started over; null while it does not answer. */
async function readRun(): Promise<number | null> {
  try {
    const response = await fetch(START_OVER_PATH);
    return response.ok ? ((await response.json()) as { run: number }).run : null;
  } catch {
    return null;
  }
}

/** Has the demo make its data again, and resolves when it is open again. Throws if it refuses, or takes too long. */
async function startDemoOver(): Promise<void> {
  const response = await fetch(START_OVER_PATH, { method: 'POST' });
  if (!response.ok) throw new Error(`start over ${response.status}`);
  const { run } = (await response.json()) as { run: number };
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    await new Promise((waited) => setTimeout(waited, ASK_EVERY_MS));
    const now = await readRun();
    if (now !== null && now !== run) return;
  }
  throw new Error('The demo did not open again');
}
