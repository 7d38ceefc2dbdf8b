import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { Modal, type ModalProps } from './modal.tsx';

/** Open while mounted. */
export function Dialog(modal: ModalProps) {
  return (
    <Modal
      {...modal}
      role="dialog"
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
