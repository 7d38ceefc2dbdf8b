import { type ReactNode, useId, useState } from 'react';
import { PHOTO_SHAPE } from '../../domain/picture.ts';
import { whyNoPicture } from '../api/pictures/picture-failure.ts';
import { Button } from '../ui/button.tsx';
import { PictureButtons } from '../ui/picture/picture-buttons.tsx';
import { Portrait } from '../ui/picture/portrait.tsx';
import { shrinkPicture } from '../ui/picture/shrink-picture.ts';
import { toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';

interface PhotoPickerProps {
  src: string | null;
  first_name: string;
  last_name: string;
  children: ReactNode;
  /** Staff tick this for a member before they can choose a photo; members agree by choosing one. */
  question?: string;
  save: (upload: { content: string; agreed: true }) => Promise<unknown>;
  remove: () => Promise<unknown>;
  onChanged: () => Promise<unknown>;
}

/** A person's photo, and the buttons to choose, replace and remove it. */
export function PhotoPicker({ src, children, question, save, remove, onChanged, ...name }: PhotoPickerProps) {
  const [ticked, setTicked] = useState(false);
  const checkboxId = useId();
  const { busy, send } = useSend();
  const replace = (file: File) =>
    send(
      async () => {
        await save({ content: await shrinkPicture(file, PHOTO_SHAPE), agreed: true });
        setTicked(false);
        await onChanged();
        toast.success('Photo saved');
      },
      (error) => toast.error('We couldn’t save the photo', { description: whyNoPicture(error), of: error }),
    );
  const takeAway = () =>
    send(
      async () => {
        await remove();
        await onChanged();
        toast.success('Photo removed');
      },
      (error) => toast.error('We couldn’t remove the photo', { description: whyNoPicture(error), of: error }),
    );
  return (
    <div className="flex items-start gap-5 max-sm:flex-col">
      <Portrait src={src} {...name} className="size-20 text-2xl" />
      <div className="min-w-0">
        <p className="text-ink-muted text-sm">{children}</p>
        {question && (
          <label htmlFor={checkboxId} className="target mt-2 flex items-center gap-3">
            <input
              id={checkboxId}
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
              checked={ticked}
              onChange={(event) => setTicked(event.target.checked)}
            />
            {question}
          </label>
        )}
        <div className="mt-3 flex flex-wrap gap-3">
          <PictureButtons camera busy={busy} disabled={question !== undefined && !ticked} onChoose={replace}>
            {src ? 'Replace Photo' : 'Choose Photo'}
          </PictureButtons>
          {src && (
            <Button variant="quiet" size="sm" busy={busy} onClick={takeAway}>
              Remove Photo
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
