import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ClubSettingsView } from '../../../../contract/staff/club.ts';
import { api, orpc } from '../../../api/client.ts';
import { whyNoPicture } from '../../../api/pictures/picture-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PictureButtons } from '../../../ui/picture/picture-buttons.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSend } from '../../../ui/use-send.ts';
import { ClubPart } from '../club-part.tsx';
import { type ChosenLogo, keepLogo, readLogo, savedLogo } from './logo-file.ts';
import { LogoPreview } from './logo-preview.tsx';

const TITLE = 'Logo';

export function LogoCard() {
  return <ClubPart title={TITLE}>{(view) => <LogoForm view={view} />}</ClubPart>;
}

function LogoForm({ view }: { view: ClubSettingsView }) {
  const [chosen, setChosen] = useState<ChosenLogo | null>(null);
  const { change, busy } = useLogo();
  // An undo may be pressed while another logo is being saved.
  const undoing = useLogo();
  const buttons = useRef<HTMLDivElement>(null);
  const saved = view.logo && savedLogo(view.logo);
  const shown = chosen ?? saved;

  const choose = async (file: File) => {
    try {
      setChosen(await readLogo(file));
    } catch (error) {
      toast.error('We couldn’t read the logo', { description: whyNoPicture(error), of: error });
    }
  };
  /** Moves the focus to the first button, because the pressed one disappears. */
  const leave = () => {
    setChosen(null);
    buttons.current?.querySelector('button')?.focus();
  };
  const make = async (next: ChosenLogo | null) => {
    const before = saved && (await keepLogo(saved));
    if (!(await change(next))) return;
    leave();
    const undo = before || !saved ? () => void undoing.change(before) : undefined;
    toast.success(next ? 'The logo was saved. Open pages will offer to reload' : 'The logo was removed', {
      ...(undo && { action: { label: 'Undo', onClick: undo } }),
    });
  };
  return (
    <Card title={TITLE}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-muted text-sm">
          On every page, on cards, in emails and on wallet passes. A PNG or SVG with a transparent background
          looks best. If it doesn’t stand out against the page, we put a plain background behind it.
        </p>
        {shown ? (
          <LogoPreview logo={shown} />
        ) : (
          <p className="text-ink-muted text-sm">Without a logo, pages show a glass under an arch.</p>
        )}
        <div ref={buttons} className="flex flex-wrap items-center gap-3">
          <PictureButtons busy={busy} onChoose={(file) => void choose(file)}>
            {shown ? 'Choose Another' : 'Choose Logo'}
          </PictureButtons>
          {chosen && (
            <>
              <Button size="sm" busy={busy} busyLabel="Saving..." onClick={() => void make(chosen)}>
                Save Logo
              </Button>
              <Button variant="quiet" size="sm" className="-ml-3" onClick={leave}>
                Cancel
              </Button>
            </>
          )}
          {saved && !chosen && (
            <Button variant="quiet" size="sm" busy={busy} onClick={() => void make(null)}>
              Remove Logo
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

function useLogo() {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const { queryKey } = orpc.club.getSettings.queryOptions();
  const change = (next: Pick<ChosenLogo, 'content'> | null): Promise<boolean> =>
    send(
      async () => {
        const view = next ? await api.club.saveLogo({ content: next.content }) : await api.club.removeLogo();
        client.setQueryData(queryKey, view);
      },
      (error) => toast.error('We couldn’t change the logo', { description: whyNoPicture(error), of: error }),
    );
  return { change, busy };
}
