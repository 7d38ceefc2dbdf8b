import { Icon } from './icon.tsx';
import type { ModalProps } from './modal.tsx';
import { Modal } from './modal.tsx';

interface DialogProps extends ModalProps {
  open: boolean;
}

export function Dialog({ open, ...modal }: DialogProps) {
  if (!open) return null;
  return (
    <Modal
      {...modal}
      role="dialog"
      closesOutside
      corner={
        <button
          type="button"
          aria-label="Close"
          onClick={modal.onClose}
          className="-mt-2 -mr-3 grid size-11 shrink-0 place-items-center rounded-full text-ink-muted hover:bg-surface-sunken hover:text-ink"
        >
          <Icon shape="cross" />
        </button>
      }
    />
  );
}
