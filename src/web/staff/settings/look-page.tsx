import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { clubColor } from '../../../contract/forms/club-fields.ts';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { COLOR, colorProblem, nearestReadable } from '../../../domain/club/colors.ts';
import { isWordmark, PLATE_EDGE, plateIn } from '../../../domain/club/logo.ts';
import { api, orpc } from '../../api/client.ts';
import { whyNoPicture } from '../../api/pictures/picture-failure.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { PictureButtons } from '../../ui/picture/picture-buttons.tsx';
import { readField } from '../../ui/read-field.ts';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useSend } from '../../ui/use-send.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { CLUB_HINTS, CLUB_LABELS } from './club-labels.ts';
import { ClubPart, useSaveClub, whyNotSaved } from './club-part.tsx';
import { ColorPreview, SCHEMES, schemeTokens } from './look/color-preview.tsx';
import { type ChosenLogo, keepLogo, readLogo, type ShownLogo, savedLogo } from './look/logo-file.ts';

export default function LookPage() {
  return (
    <PageShell title="Look" width="wide" back={useBackToMore()}>
      <div className="grid items-start gap-5 sm:gap-6 2xl:grid-cols-2">
        <ClubPart title="Logo">{(view) => <LogoForm view={view} />}</ClubPart>
        <ClubPart title={CLUB_LABELS.accent}>{(view) => <ColorForm view={view} />}</ClubPart>
      </div>
    </PageShell>
  );
}

function LogoForm({ view }: { view: ClubSettingsView }) {
  const [chosen, setChosen] = useState<ChosenLogo | null>(null);
  const { change, busy } = useLogo();
  // An undo may be pressed while another logo is being saved.
  const undoing = useLogo();
  const buttons = useRef<HTMLDivElement>(null);
  const saved = view.logo && savedLogo(view.logo);
  const logo = chosen ?? saved;

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
    <Card title="Logo">
      <div className="flex flex-col gap-4">
        <p className="text-ink-muted text-sm">
          On every page, on cards, in emails and on wallet passes. A PNG or SVG with a transparent background
          looks best. If it doesn’t stand out against the page, we put a plain background behind it.
        </p>
        {logo ? (
          <LogoPreview logo={logo} />
        ) : (
          <p className="text-ink-muted text-sm">Without a logo, pages show a glass under an arch.</p>
        )}
        <div ref={buttons} className="flex flex-wrap items-center gap-3">
          <PictureButtons busy={busy} onChoose={(file) => void choose(file)}>
            {logo ? 'Choose Another' : 'Choose Logo'}
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

function LogoPreview({ logo }: { logo: ShownLogo }) {
  const { src, width, height } = logo;
  return (
    <div className="grid gap-3 sm:grid-cols-2" role="img" aria-label="How the logo looks, light and dark">
      {SCHEMES.map(({ scheme, name }) => {
        const plate = plateIn(scheme, logo);
        const drawn = (size: string) => (
          <img
            src={src}
            alt=""
            width={width}
            height={height}
            style={{ backgroundColor: plate, boxShadow: `0 0 0 ${PLATE_EDGE} ${plate}` }}
            className={`w-auto max-w-full shrink-0 rounded-sm object-contain ${size}`}
          />
        );
        return (
          <div
            key={scheme}
            aria-hidden="true"
            style={schemeTokens(scheme, site.accent)}
            className="overflow-hidden rounded-lg border border-line bg-background text-ink"
          >
            <div className="flex items-center gap-3 border-line border-b bg-surface px-4 py-2 font-title text-lg">
              {drawn('h-8')}
              {!isWordmark(logo) && <span className="truncate">{site.club_name}</span>}
            </div>
            <div className="flex flex-col items-center px-4 pt-5 pb-6 text-center">
              {drawn('h-18')}
              <p className="mt-4 text-balance font-title text-2xl">{site.club_name}</p>
              <p className="mt-1 text-ink-muted text-xs">{name}</p>
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** The product's own color, if the club has set none. */
const WINE_RED = '#6b182c';
function ColorForm({ view }: { view: ClubSettingsView }) {
  const saved = view.values.accent ?? WINE_RED;
  const save = useSaveClub(view);
  const form = useForm({
    fields: { accent: clubColor },
    values: { accent: saved },
    follow: true,
    onSubmit: (changes) => save({ changes }, 'The color was saved. Open pages will offer to reload'),
    onError: whyNotSaved,
  });
  const reading = readField(clubColor, form.values.accent);
  const error = 'error' in reading ? reading.error : undefined;
  const color = form.values.accent.toLowerCase();
  const isColor = COLOR.test(color);
  const unreadable = isColor ? colorProblem(color) : null;
  return (
    <Card title={CLUB_LABELS.accent}>
      <form {...form.props} className="flex flex-col gap-4">
        <div className="flex items-start gap-3">
          <TextField
            label="Hex Code"
            hint={`${CLUB_HINTS.accent} As #rrggbb.`}
            className="min-w-0 flex-1"
            autoCapitalize="none"
            spellCheck={false}
            {...form.field('accent')}
            error={error}
          />
          <input
            type="color"
            aria-label="Choose a color"
            className="mt-7 h-12 w-14 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface-raised p-1"
            value={isColor ? color : saved}
            onChange={({ target }) => form.set('accent', target.value)}
          />
        </div>
        {unreadable && (
          <Button
            variant="quiet"
            size="sm"
            className="-mx-3 self-start"
            onClick={() => form.set('accent', unreadable.nearest)}
          >
            Use {unreadable.nearest}
          </Button>
        )}
        <ColorPreview color={nearestReadable(isColor ? color : saved)} />
        <FormError of={form.failure} />
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            disabled={error !== undefined || color === saved}
            busy={form.busy}
            busyLabel="Saving..."
          >
            Save Color
          </Button>
          {view.values.accent && (
            <Button
              variant="quiet"
              onClick={() => void form.send(() => save({ reset: ['accent'] }, 'The color is wine red again'))}
            >
              Reset Color
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
