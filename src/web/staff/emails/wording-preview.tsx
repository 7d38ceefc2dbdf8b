import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type EmailKind,
  type EmailWording,
  WORDING_FIELDS,
  wordingProblems,
} from '../../../domain/club/emails.ts';
import { orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';

const trimmed = (wording: EmailWording): EmailWording => ({
  subject: wording.subject.trim(),
  opening: wording.opening.trim(),
  closing: wording.closing.trim(),
});

/** The email for a sample member, updated when typing pauses. */
export function WordingPreview({ letter, wording }: { letter: EmailKind; wording: EmailWording }) {
  const [asText, setAsText] = useState(false);
  const settled = JSON.parse(useDebounced(JSON.stringify(trimmed(wording)))) as EmailWording;
  // Hidden as soon as a refused wording is typed: it would be another email's preview.
  const isFine = [wording, settled].every((it) => wordingProblems(letter, trimmed(it)) === null);
  const preview = useQuery({
    ...orpc.letters.preview.queryOptions({ input: { letter, ...settled } }),
    enabled: isFine,
    placeholderData: keepPreviousData,
  });
  const query = new URLSearchParams(WORDING_FIELDS.map((field) => [field, settled[field]]));
  return (
    <Card title="Preview">
      <div className="flex flex-col gap-4">
        <p className="text-ink-muted text-sm">To Ada, an invented member. Nothing is sent.</p>
        <div className="flex gap-3">
          {[false, true].map((text) => (
            <Button
              key={String(text)}
              size="sm"
              variant="secondary"
              aria-pressed={asText === text}
              className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
              onClick={() => setAsText(text)}
            >
              {text ? 'As Text' : 'As HTML'}
            </Button>
          ))}
        </div>
        {!isFine ? (
          <p className="text-ink-muted text-sm">The preview appears here once the wording is valid.</p>
        ) : (
          <Loaded query={preview} failed="We couldn’t load the preview" lines={6}>
            {({ subject, text }) => (
              <>
                <p className="break-words font-semibold">{subject}</p>
                {asText ? (
                  <pre className="whitespace-pre-wrap break-words font-sans text-sm">{text}</pre>
                ) : (
                  <iframe
                    title="The email as HTML"
                    sandbox=""
                    src={`/api/emails/${letter}/preview.html?${query}`}
                    className="h-180 w-full rounded-md border border-line"
                  />
                )}
              </>
            )}
          </Loaded>
        )}
      </div>
    </Card>
  );
}
