import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
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
        <IconButton
          label="Close"
          icon={<Icon shape="cross" />}
          onClick={modal.onClose}
          className="-mt-2 -mr-3"
        />
      }
    />
  );
}
