import { useState } from 'react';
import type { OwnPour } from '../../../contract/pours.ts';
import { MAX_COMMENT_LENGTH } from '../../../domain/taste.ts';
import { wineTitle } from '../../../domain/wine/wine.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useRating } from './use-rating.ts';
import { VerdictFaces } from './verdict-faces.tsx';

export function RatingDialog({ pour, onClose }: { pour: OwnPour; onClose: () => void }) {
  const { busy, rate } = useRating(pour.id);
  const [verdict, setVerdict] = useState(pour.rating?.verdict ?? null);
  const [comment, setComment] = useState(pour.rating?.comment ?? '');
  const save = async () => {
    if (verdict && (await rate(verdict, comment))) onClose();
  };
  return (
    <Dialog
      title={pour.wine ? wineTitle(pour.wine) : 'Your wine'}
      description="What did you think?"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} disabled={verdict === null} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <VerdictFaces value={verdict} disabled={busy} onChoose={setVerdict} />
      <TextField
        label="Add a note for our staff"
        optional
        maxLength={MAX_COMMENT_LENGTH}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
    </Dialog>
  );
}
