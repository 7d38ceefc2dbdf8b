import Camera from 'lucide-react/icons/camera';
import ImageUp from 'lucide-react/icons/image-up';
import { type ReactNode, useRef } from 'react';
import { Button } from '../button.tsx';

interface PictureButtonsProps {
  onChoose: (file: File) => void;
  busy: boolean;
  disabled?: boolean;
  /** Whether a phone or tablet offers its camera directly. */
  camera?: boolean;
  children: ReactNode;
}

export function PictureButtons({ onChoose, busy, disabled, camera, children }: PictureButtonsProps) {
  const files = useRef<HTMLInputElement>(null);
  const lens = useRef<HTMLInputElement>(null);
  const input = (field: typeof files, label: string, capture?: 'environment') => (
    <input
      ref={field}
      type="file"
      accept="image/*"
      capture={capture}
      aria-label={label}
      tabIndex={-1}
      className="hidden"
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        // Cleared, so that choosing the same file again is a change too.
        target.value = '';
        if (file) onChoose(file);
      }}
    />
  );
  return (
    <>
      {camera && (
        <Button
          variant="secondary"
          size="sm"
          icon={<Camera size={18} aria-hidden="true" />}
          busy={busy}
          disabled={disabled}
          // A mouse means a computer, whose browser would only open a file dialog.
          className="pointer-fine:hidden"
          onClick={() => lens.current?.click()}
        >
          Take Photo
        </Button>
      )}
      <Button
        variant="secondary"
        size="sm"
        icon={<ImageUp size={18} aria-hidden="true" />}
        busy={busy}
        disabled={disabled}
        onClick={() => files.current?.click()}
      >
        {children}
      </Button>
      {camera && input(lens, 'Photo from the camera', 'environment')}
      {input(files, 'Picture file')}
    </>
  );
}
