import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { focusFirst, Modal } from './modal.tsx';

export interface AlertDialogProps {
  open: boolean;
  title: ReactNode;
  description: ReactNode;
  confirmLabel: string;
  busyLabel?: string;
  cancelLabel?: string;
  tone?: 'primary' | 'danger';
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks before an action with consequences. The safe button has the focus. */
export function AlertDialog({
  open,
  title,
  description,
  confirmLabel,
  busyLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  busy = false,
  onConfirm,
  onClose,
  children,
}: AlertDialogProps) {
  if (!open) return null;
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Modal
      role="alertdialog"
      title={title}
      description={description}
      onClose={close}
      actions={
        <>
          <Button ref={focusFirst} variant="secondary" onClick={close} disabled={busy}>
            {cancelLabel}
          </Button>
          <Button variant={tone} busy={busy} busyLabel={busyLabel} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Modal>
  );
}
