import { useState } from 'react';
import { wineFields } from '../../../contract/forms/wine-fields.ts';
import type { StaffWine, WineDraft } from '../../../contract/wine/wines.ts';
import { parseAmount, toMajorUnits } from '../../../domain/money.ts';
import { WINE_PICTURE_SHAPE } from '../../../domain/picture.ts';
import {
  TRAIT_WORDS,
  USUAL_GLASSES_A_BOTTLE,
  USUAL_TASTE,
  WINE_COLOR_LABELS,
  WINE_COLORS,
  WINE_TRAITS,
  type WineColor,
  wineTitle,
} from '../../../domain/wine/wine.ts';
import { api, serverMessage } from '../../api/client.ts';
import { whyNoPicture } from '../../api/pictures/picture-failure.ts';
import { site } from '../../api/site.ts';
import { WinePicture } from '../../brand/wine-picture.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PictureButtons } from '../../ui/picture/picture-buttons.tsx';
import { shrinkPicture } from '../../ui/picture/shrink-picture.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useSend } from '../../ui/use-send.ts';

const COLORS = WINE_COLORS.map((value) => ({ value, label: WINE_COLOR_LABELS[value] }));
const TRAIT_LABELS = { sweetness: 'Sweetness', body: 'Body', tannin: 'Tannin', acidity: 'Acidity' };
const traitOptions = (trait: keyof typeof TRAIT_LABELS) =>
  TRAIT_WORDS[trait].map((label, at) => ({ value: String(at + 1), label }));

interface WineDialogProps {
  /** Null for a new wine. */
  wine: StaffWine | null;
  onSaved: (saved: StaffWine | StaffWine[]) => void;
  onClose: () => void;
}

export function WineDialog({ wine, onSaved, onClose }: WineDialogProps) {
  const [opens, setOpens] = useState(false);
  /** Adds the wine; one whose bottle cannot be opened stays on the list. */
  const add = async (draft: WineDraft) => {
    const added = await api.wines.create(draft);
    onSaved(added);
    if (!opens) {
      toast.success(`${wineTitle(added)} is on the list`);
      return;
    }
    try {
      onSaved(await api.wines.openBottle({ id: added.id, instead_of: null }));
      toast.success(`${wineTitle(added)} is open`);
    } catch (error) {
      failureToast('We couldn’t open the bottle', 'The wine is on the list. Open it there.')(error);
    }
  };
  const form = useForm({
    fields: wineFields,
    extra: ['cost'],
    values: startValues(wine),
    alert: ({ cost }) =>
      cost.trim() !== '' && parseAmount(cost.trim(), site.currency) === null
        ? { field: 'cost', text: 'Enter a price such as 24 or 24.50, or leave it blank.' }
        : null,
    onSubmit: async (input) => {
      const cost = parseAmount(form.values.cost.trim(), site.currency);
      const draft = { ...input, ...(cost !== null && { cost_cents: cost }) };
      if (wine) onSaved(await api.wines.update({ ...draft, id: wine.id }));
      else await add(draft);
      onClose();
    },
    onError: (error) => serverMessage(error) ?? 'We couldn’t save the wine. Please try again.',
  });
  /** The taste follows the color until it is changed. */
  const chooseColor = (color: string) => {
    const { color: before } = form.values;
    for (const trait of WINE_TRAITS) {
      const usual = before === '' ? '' : String(USUAL_TASTE[before as WineColor][trait]);
      if (form.values[trait] === usual) form.set(trait, String(USUAL_TASTE[color as WineColor][trait]));
    }
    form.set('color', color);
  };
  return (
    <FormDialog
      form={form}
      width="wide"
      title={wine ? 'Change Wine' : 'Add Wine'}
      submitLabel={wine ? 'Save' : 'Add Wine'}
      busyLabel="Saving..."
      onClose={onClose}
    >
      <TextField label="Name" autoFocus={!wine} {...form.field('name')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Producer" {...form.field('producer')} />
        <TextField label="Vintage" inputMode="numeric" {...form.field('vintage')} />
        <TextField label="Region" {...form.field('region')} />
        <TextField label="Country" {...form.field('country')} />
        <TextField label="Grape" {...form.field('grape')} />
        <SelectField
          label="Color"
          placeholder="Choose"
          hint={wine ? undefined : 'Fills in how such a wine usually tastes.'}
          options={COLORS}
          {...form.field('color')}
          onChange={({ target }) => (wine ? form.set('color', target.value) : chooseColor(target.value))}
        />
      </div>
      <div className="grid grid-cols-2 gap-5 sm:grid-cols-4">
        {WINE_TRAITS.map((trait) => (
          <SelectField
            key={trait}
            label={TRAIT_LABELS[trait]}
            placeholder="Choose"
            options={traitOptions(trait)}
            {...form.field(trait)}
          />
        ))}
      </div>
      <TextareaField label="Notes for members" rows={2} {...form.field('notes')} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Glasses per bottle" inputMode="numeric" {...form.field('glasses_per_bottle')} />
        <TextField
          label={`Cost per bottle (${site.currency.toUpperCase()})`}
          hint="Only staff see it."
          inputMode="decimal"
          optional
          {...form.field('cost')}
        />
      </div>
      {!wine && (
        <label className="target flex items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-accent"
            checked={opens}
            onChange={({ target }) => setOpens(target.checked)}
          />
          Open a bottle now
        </label>
      )}
      {wine && <WinePictureField wine={wine} onSaved={onSaved} />}
    </FormDialog>
  );
}

function startValues(wine: StaffWine | null) {
  if (!wine) return { glasses_per_bottle: String(USUAL_GLASSES_A_BOTTLE) };
  const { name, producer, region, country, grape, color, notes } = wine;
  return {
    ...{ name, producer, region, country, grape, color, notes },
    vintage: wine.vintage === null ? '' : String(wine.vintage),
    sweetness: String(wine.sweetness),
    body: String(wine.body),
    tannin: String(wine.tannin),
    acidity: String(wine.acidity),
    glasses_per_bottle: String(wine.glasses_per_bottle),
    cost: typeof wine.cost_cents !== 'number' ? '' : String(toMajorUnits(wine.cost_cents, site.currency)),
  };
}

function WinePictureField({ wine, onSaved }: { wine: StaffWine; onSaved: (wine: StaffWine) => void }) {
  const [picture, setPicture] = useState(wine.picture);
  const { busy, send } = useSend();
  const change = (file: File | null) =>
    send(
      async () => {
        const result = file
          ? await api.winePictures.save({
              id: wine.id,
              content: await shrinkPicture(file, WINE_PICTURE_SHAPE),
            })
          : await api.winePictures.remove({ id: wine.id });
        setPicture(result.picture);
        onSaved(result);
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
