import { useQueryClient } from '@tanstack/react-query';
import type { ClubSettingsView } from '../../../../contract/staff/club.ts';
import { CLUB_PICTURE_SHAPE } from '../../../../domain/picture.ts';
import { api, orpc } from '../../../api/client.ts';
import { whyNoPicture } from '../../../api/pictures/picture-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PictureButtons } from '../../../ui/picture/picture-buttons.tsx';
import { shrinkPicture } from '../../../ui/picture/shrink-picture.ts';
import { toast } from '../../../ui/toast.ts';
import { useSend } from '../../../ui/use-send.ts';

/** The picture of the club's page, saved as soon as it is chosen. */
export function ClubPictureCard({ view }: { view: ClubSettingsView }) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const { queryKey } = orpc.club.getSettings.queryOptions();
  const change = (make: () => Promise<ClubSettingsView>, done: string) =>
    void send(
      async () => {
        client.setQueryData(queryKey, await make());
        toast.success(done);
      },
      (error) =>
        toast.error('We couldn’t change the picture', { description: whyNoPicture(error), of: error }),
    );
  const choose = (file: File) =>
    change(
      async () => api.club.savePicture({ content: await shrinkPicture(file, CLUB_PICTURE_SHAPE) }),
      'The picture was saved',
    );
  return (
    <Card title="Picture">
      <div className="flex flex-col gap-4">
        <p className="text-ink-muted text-sm">
          Beside the introduction, and where the page is shared as a link. It is cut to twice as wide as high.
          Without one, the page shows membership cards.
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <PictureButtons busy={busy} onChoose={choose}>
            {view.picture ? 'Choose Another' : 'Choose Picture'}
          </PictureButtons>
          {view.picture && (
            <Button
              variant="quiet"
              size="sm"
              busy={busy}
              onClick={() => change(() => api.club.removePicture(), 'The picture was removed')}
            >
              Remove Picture
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
