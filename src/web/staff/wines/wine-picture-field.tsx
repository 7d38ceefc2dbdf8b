import { useState } from 'react';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { WINE_PICTURE_SHAPE } from '../../../domain/picture.ts';
import { api } from '../../api/client.ts';
import { whyNoPicture } from '../../api/pictures/picture-failure.ts';
import { WinePicture } from '../../brand/wine-picture.tsx';
import { Button } from '../../ui/button.tsx';
import { PictureButtons } from '../../ui/picture/picture-buttons.tsx';
import { shrinkPicture } from '../../ui/picture/shrink-picture.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** The picture of a wine, saved as soon as it is chosen. */
export function WinePictureField({ wine, onSaved }: { wine: StaffWine; onSaved: (wine: StaffWine) => void }) {
  const [picture, setPicture] = useState(wine.picture);
  const { busy, send } = useSend();
  const change = (file: File | null) =>
    send(
      async () => {
        const saved = file
          ? await api.winePictures.save({
              id: wine.id,
              content: await shrinkPicture(file, WINE_PICTURE_SHAPE),
            })
          : await api.winePictures.remove({ id: wine.id });
        setPicture(saved.picture);
        onSaved(saved);
      },
      (error) =>
        toast.error('We couldn’t change the picture', { description: whyNoPicture(error), of: error }),
    );
  return (
    <div className="flex items-center gap-4">
      <span className="grid h-20 w-15 place-items-center rounded-md border border-line text-center text-ink-muted text-xs">
        {picture ? <WinePicture wine={{ id: wine.id, picture }} className="h-20 w-15" /> : 'No picture'}
      </span>
      <div className="flex flex-wrap gap-3">
        <PictureButtons camera busy={busy} onChoose={change}>
          {picture ? 'Replace Picture' : 'Choose Picture'}
        </PictureButtons>
        {picture && (
          <Button variant="quiet" size="sm" busy={busy} onClick={() => change(null)}>
            Remove Picture
          </Button>
        )}
      </div>
    </div>
  );
}
