import { api } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { saveBlob } from '../ui/save-blob.ts';
import { failureToast, toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';

/** 'cellar-door-my-data-2026-07-13.json' */
export const dataFileName = (madeAt: string) => `cellar-door-my-data-${madeAt.slice(0, 10)}.json`;

export function DataExportCard() {
  const { busy, send } = useSend();
  const download = () =>
    send(
      async () => {
        const data = await api.privacy.exportData();
        const text = `${JSON.stringify(data, null, 2)}\n`;
        saveBlob(new Blob([text], { type: 'application/json' }), dataFileName(data.made_at));
        toast.success('Your data is in your downloads');
      },
      failureToast('We couldn’t download your data', 'Please try again.'),
    );
  return (
    <Card title="A Copy of Your Data">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="min-w-0 flex-1 basis-56 text-ink-muted">Everything we store about you, in one file.</p>
        <Button variant="secondary" busy={busy} busyLabel="Preparing..." onClick={download}>
          Download My Data
        </Button>
      </div>
    </Card>
  );
}
