import GripVertical from 'lucide-react/icons/grip-vertical';
import { type FormEvent, useState } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import {
  DEFAULT_PLACES,
  MAX_PLACE_NAME_LENGTH,
  PLACE_NAME,
  type Place,
  placesProblem,
} from '../../../domain/club/places.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FormError } from '../../ui/form-error.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSend } from '../../ui/use-send.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { useReorder } from '../wines/use-reorder.ts';
import { CLUB_HINTS } from './club-labels.ts';
import { ClubPart, useSaveClub, whyNotSaved } from './club-part.tsx';

/** Marks a new place, which has no id from the server yet. */
const NEW = 'new ';

export default function PlacesPage() {
  return (
    <PageShell title="Places" back={useBackToMore()}>
      <ClubPart>
        {/* The form restarts from the version that another tab or colleague saved. */}
        {(view) => <PlacesForm key={JSON.stringify(view.values.places)} view={view} />}
      </ClubPart>
    </PageShell>
  );
}

const offeredOf = (places: readonly Place[]) => places.filter(({ retired }) => !retired);
const isAsConfigured = (places: readonly Place[]) =>
  JSON.stringify(offeredOf(places)) === JSON.stringify(DEFAULT_PLACES);

function PlacesForm({ view }: { view: ClubSettingsView }) {
  const [places, setPlaces] = useState<Place[]>(view.values.places);
  const save = useSaveClub(view);
  const { busy, failure, fail, send } = useSend();
  const offered = offeredOf(places);
  const retired = places.filter((place) => place.retired);
  const ids = offered.map(({ id }) => id);
  const change = (id: string, to: Partial<Place>) => {
    fail('');
    setPlaces(places.map((place) => (place.id === id ? { ...place, ...to } : place)));
  };
  const reorder = (order: string[]) => {
    const ordered = order.flatMap((id) => offered.filter((place) => place.id === id));
    setPlaces([...ordered, ...retired]);
  };
  const { list, order, dragging, handle } = useReorder(ids, reorder);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const entries = places.map(({ name, ...place }) => ({ ...place, name: name.trim() }));
    const text = entries.every(({ name }) => PLACE_NAME.test(name)) ? placesProblem(entries) : NAME_WRONG;
    if (text) return fail(text);
    const sent = entries.map(({ id, ...place }) => (id.startsWith(NEW) ? place : { id, ...place }));
    void send(() => save({ changes: { places: sent } }, 'The places were saved'), whyNotSaved);
  };
  const add = () =>
    setPlaces([...offered, { id: `${NEW}${places.length}`, name: '', retired: false }, ...retired]);
  const unchanged = JSON.stringify(places) === JSON.stringify(view.values.places);
  return (
    <Card>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-muted text-sm">
          {CLUB_HINTS.places} A new name applies from now on. Earlier pours keep the old one.
        </p>
        <ul ref={list} className="flex flex-col gap-2">
          {order
            .flatMap((id) => offered.filter((place) => place.id === id))
            .map(({ id, name }, at) => (
              <li
                key={id}
                className={classNames(
                  'flex items-center gap-1 rounded-md',
                  dragging === id && 'bg-surface-sunken',
                )}
              >
                <button
                  type="button"
                  aria-label={`Move ${name}, number ${at + 1} of ${offered.length}. Use the arrow keys`}
                  className="-ml-3 grid size-11 shrink-0 cursor-grab touch-none place-items-center rounded-full text-ink-muted hover:text-ink"
                  {...handle(id)}
                >
                  <GripVertical size={20} />
                </button>
                <TextField
                  label={`Place ${at + 1}`}
                  labelHidden
                  className="min-w-0 flex-1 max-[24rem]:[&_input]:px-2.5"
                  autoFocus={id.startsWith(NEW)}
                  maxLength={MAX_PLACE_NAME_LENGTH}
                  value={name}
                  onChange={({ target }) => change(id, { name: target.value })}
                />
                <Button
                  variant="quiet"
                  size="sm"
                  className="-mr-3 -ml-1 w-22"
                  aria-label={`${id.startsWith(NEW) ? 'Remove' : 'Retire'} ${name}`}
                  disabled={offered.length < 2}
                  onClick={() =>
                    id.startsWith(NEW)
                      ? setPlaces(places.filter((place) => place.id !== id))
                      : change(id, { retired: true })
                  }
                >
                  {id.startsWith(NEW) ? 'Remove' : 'Retire'}
                </Button>
              </li>
            ))}
        </ul>
        <Button variant="quiet" size="sm" className="-mx-3 self-start" onClick={add}>
          Add Place
        </Button>
        {retired.length > 0 && (
          <section>
            <h3 className="mb-1 font-semibold font-text text-sm">Retired</h3>
            <p className="text-ink-muted text-sm">
              No longer offered. Pours still waiting on a phone for one of these are recorded anyway.
            </p>
            <ul className="mt-1 divide-y divide-line">
              {retired.map(({ id, name }) => (
                <li key={id} className="flex items-center justify-between gap-3 py-1">
                  <span>{name}</span>
                  <Button
                    variant="quiet"
                    size="sm"
                    aria-label={`Offer again: ${name}`}
                    onClick={() =>
                      setPlaces([
                        ...offered,
                        { id, name, retired: false },
                        ...retired.filter((it) => it.id !== id),
                      ])
                    }
                  >
                    Offer Again
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <FormError of={failure} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={unchanged} busy={busy} busyLabel="Saving...">
            Save Places
          </Button>
          {!isAsConfigured(view.values.places) && (
            <Button
              variant="quiet"
              onClick={() =>
                void send(
                  () => save({ reset: ['places'] }, 'The places are the original four again'),
                  whyNotSaved,
                )
              }
            >
              Reset Places
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

const NAME_WRONG = `Each place needs a name: letters, digits and single spaces, ${MAX_PLACE_NAME_LENGTH} at most.`;
