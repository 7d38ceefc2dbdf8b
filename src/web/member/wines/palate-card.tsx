import { useQuery, useQueryClient } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import type { Palate } from '../../../contract/wine/ratings.ts';
import { KINDS, type Kind, type OwnWords } from '../../../domain/taste.ts';
import { WINE_COLORS } from '../../../domain/wine/wine.ts';
import { api, orpc } from '../../api/client.ts';
import { KIND_LABELS } from '../../format/taste-text.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { failureToast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

const CHOICES = [
  { value: 'open', label: 'Learn from my ratings' },
  { value: 'like', label: 'I like them' },
  { value: 'avoid', label: 'Not for me' },
];

const GROUPS: { label: string; kinds: readonly Kind[] }[] = [
  { label: 'Colors', kinds: WINE_COLORS },
  { label: 'Styles', kinds: KINDS.filter((kind) => !WINE_COLORS.some((color) => color === kind)) },
];

/** What a closed group holds: 'Reds: I like them'. */
const chosenText = (kinds: readonly Kind[], words: OwnWords): string =>
  kinds
    .flatMap((kind) => {
      const choice = CHOICES.find(({ value }) => value === words[kind]);
      return choice ? [`${KIND_LABELS[kind]}: ${choice.label}`] : [];
    })
    .join(', ') || 'Learn from my ratings';

export function PalateCard() {
  const client = useQueryClient();
  const options = orpc.ratings.getPalate.queryOptions();
  const { data } = useQuery(options);
  const [asking, setAsking] = useState(false);
  const { busy, send } = useSend();
  if (!data) return null;
  const run = (change: () => Promise<Palate>) =>
    send(async () => {
      client.setQueryData(options.queryKey, await change());
      setAsking(false);
    }, failureToast('We couldn’t save the change'));
  const say = (kind: Kind, stance: string) => {
    const { [kind]: _, ...others } = data.words;
    const words: OwnWords = stance === 'like' || stance === 'avoid' ? { ...others, [kind]: stance } : others;
    return run(() => api.ratings.saveWords({ words }));
  };
  const count = `${data.glasses} ${data.glasses === 1 ? 'wine' : 'wines'}`;
  return (
    <Card title="Your Preferences">
      <p className="text-ink-muted">
        {data.glasses === 0
          ? 'Rate the wines you have, and we’ll sort the wine list for you.'
          : `Your wine list is sorted by the ${count} you’ve rated.`}{' '}
        Your choices here come first.
      </p>
      <div className="mt-4 divide-y divide-line border-line border-y">
        {GROUPS.map(({ label, kinds }) => (
          <details key={label} className="group">
            <summary className="flex min-h-12 cursor-pointer items-center gap-3 py-2">
              <span className="font-semibold">{label}</span>
              <span className="min-w-0 flex-1 text-right text-ink-muted text-sm">
                {chosenText(kinds, data.words)}
              </span>
              <ChevronDown
                size={18}
                aria-hidden="true"
                className="shrink-0 group-open:rotate-180 motion-safe:transition-transform"
              />
            </summary>
            <div className="grid gap-4 pt-1 pb-5 sm:grid-cols-2">
              {kinds.map((kind) => (
                <SelectField
                  key={kind}
                  label={KIND_LABELS[kind]}
                  options={CHOICES}
                  value={data.words[kind] ?? 'open'}
                  disabled={busy}
                  onChange={(event) => void say(kind, event.target.value)}
                />
              ))}
            </div>
          </details>
        ))}
      </div>
      <Button variant="quiet" className="mt-4 -ml-5" onClick={() => setAsking(true)}>
        Reset My Ratings
      </Button>
      <AlertDialog
        open={asking}
        title="Reset your ratings?"
        description="Your choices here will be cleared, and your past ratings won’t count any more. They stay in your history."
        confirmLabel="Reset"
        busy={busy}
        onConfirm={() => void run(() => api.ratings.reset())}
        onClose={() => setAsking(false)}
      />
    </Card>
  );
}
