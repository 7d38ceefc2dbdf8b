import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pageSwitches, pageTexts } from '../../../../contract/forms/club-fields.ts';
import type { ClubSettingsView } from '../../../../contract/staff/club.ts';
import type { ClubSettings } from '../../../../domain/club/club-settings.ts';
import { defaultPageText, pageText } from '../../../../domain/club/public-page-texts.ts';
import { CLUB_PAGE_PATH, CLUB_PICTURE_PATH, type PageText } from '../../../../domain/club/public-pages.ts';
import { CLUB_PICTURE_SHAPE } from '../../../../domain/picture.ts';
import { api, orpc } from '../../../api/client.ts';
import { whyNoPicture } from '../../../api/pictures/picture-failure.ts';
import { site } from '../../../api/site.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { PictureButtons } from '../../../ui/picture/picture-buttons.tsx';
import { shrinkPicture } from '../../../ui/picture/shrink-picture.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { TextareaField } from '../../../ui/textarea-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { useForm } from '../../../ui/use-form.ts';
import { useSend } from '../../../ui/use-send.ts';
import { ClubPage } from '../../../visitor/public-pages/club-page.tsx';
import { CLUB_HINTS, CLUB_LABELS } from '../club-labels.ts';
import { useSaveClub, whyNotSaved } from '../club-part.tsx';
import { PreviewFrame } from './preview-frame.tsx';

const TEXTS = Object.keys(pageTexts) as PageText[];
const SWITCHES = Object.keys(pageSwitches) as (keyof typeof pageSwitches)[];

export function ClubPageForm({ view }: { view: ClubSettingsView }) {
  const { values } = view;
  const save = useSaveClub(view);
  const form = useForm({
    fields: { ...pageTexts, ...pageSwitches },
    values: Object.fromEntries([
      ...TEXTS.map((field) => [field, pageText(field, values, site.payments)]),
      ...SWITCHES.map((field) => [field, String(values[field])]),
    ]),
    follow: true,
    onSubmit: (input) => {
      const switches = SWITCHES.filter((field) => input[field] !== values[field]);
      const texts = TEXTS.filter((field) => input[field] !== pageText(field, values, site.payments));
      const isDefault = (field: PageText) => input[field] === defaultPageText(field, values, site.payments);
      const ownTexts = texts.filter((field) => !isDefault(field));
      const changes = Object.fromEntries([...switches, ...ownTexts].map((field) => [field, input[field]]));
      return save({ changes, reset: texts.filter(isDefault) }, 'The club’s page was saved');
    },
    onError: whyNotSaved,
  });
  const isOn = (field: keyof typeof pageSwitches) => form.values[field] === 'true';
  const draft: ClubSettings = {
    ...values,
    ...Object.fromEntries(TEXTS.map((field) => [field, form.values[field].trim()])),
    ...Object.fromEntries(SWITCHES.map((field) => [field, isOn(field)])),
  };
  const fieldProps = (field: PageText) => ({
    label: CLUB_LABELS[field],
    hint: CLUB_HINTS[field],
    ...form.field(field),
    optional: false,
  });
  return (
    <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5 sm:gap-6">
        <Card title="The Club’s Page">
          <form {...form.props} className="flex flex-col gap-5">
            <div className="flex flex-col gap-1">
              {SWITCHES.map((field) => (
                <label key={field} className="flex min-h-11 cursor-pointer items-start gap-3 py-1.5">
                  <input
                    type="checkbox"
                    name={field}
                    className="mt-0.5 size-5 shrink-0 accent-accent"
                    checked={isOn(field)}
                    onChange={({ target }) => form.set(field, String(target.checked))}
                  />
                  <span>
                    {CLUB_LABELS[field]}
                    <span className="block text-ink-muted text-sm">{CLUB_HINTS[field]}</span>
                  </span>
                </label>
              ))}
            </div>
            <TextField {...fieldProps('page_heading')} />
            <TextareaField {...fieldProps('page_words')} />
            <TextareaField {...fieldProps('page_address')} />
            <TextareaField {...fieldProps('page_hours')} />
            <TextareaField {...fieldProps('page_questions')} />
            <FormError of={form.failure} />
            <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
              <Button type="submit" busy={form.busy} busyLabel="Saving...">
                Save Page
              </Button>
              {values.page_on && (
                <a
                  href={CLUB_PAGE_PATH}
                  target="_blank"
                  rel="noreferrer"
                  className="link target inline-flex items-center"
                >
                  Open {CLUB_PAGE_PATH}
                </a>
              )}
            </div>
          </form>
        </Card>
        <ClubPictureCard view={view} />
      </div>
      <ClubPagePreview draft={draft} picture={view.picture} />
    </div>
  );
}

function ClubPagePreview({ draft, picture }: { draft: ClubSettings; picture: string | null }) {
  const tiers = useQuery(orpc.tiers.list.queryOptions());
  const wines = useQuery({ ...orpc.wines.list.queryOptions(), enabled: draft.page_wines });
  if (!draft.page_on) {
    return (
      <Card title="Preview">
        <p className="text-ink-muted">The page is off. Its address shows that nothing is there.</p>
      </Card>
    );
  }
  return (
    <PreviewFrame label="How the club’s page looks">
      <ClubPage
        settings={draft}
        tiers={draft.page_tiers ? (tiers.data ?? []) : []}
        wines={draft.page_wines ? (wines.data ?? []).filter(({ state }) => state === 'open') : []}
        picture={picture && `${CLUB_PICTURE_PATH}?v=${picture}`}
      />
    </PreviewFrame>
  );
}

function ClubPictureCard({ view }: { view: ClubSettingsView }) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const { queryKey } = orpc.club.getSettings.queryOptions();
  const change = (make: () => Promise<ClubSettingsView>, success: string) =>
    void send(
      async () => {
        client.setQueryData(queryKey, await make());
        toast.success(success);
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
