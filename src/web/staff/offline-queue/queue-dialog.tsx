import type { SessionUser } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { QueueList } from './queue-list.tsx';
import type { QueuedPour } from './queued-pour.ts';

interface QueueDialogProps {
  open: boolean;
  onClose: () => void;
  user: SessionUser;
  pours: readonly QueuedPour[];
}

export function QueueDialog({ open, onClose, user, pours }: QueueDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Pours on This Device">
      <QueueList user={user} pours={pours} />
    </Dialog>
  );
}
