import type { ConsentWords } from '../../domain/consent.ts';

/**
 * The terms that the user accepts with the button whose description is `id`. They open in a new tab, so that no typed text
 * is lost.
 */
export function ConsentText({ words: { text, terms }, id }: { words: ConsentWords; id: string }) {
  const [before = text, after = ''] = terms ? text.split(terms.label) : [];
  return (
    <p id={id} className="text-pretty text-ink-muted text-sm">
      {before}
      {terms && (
        <a href={terms.url} target="_blank" rel="noreferrer" className="link">
          {terms.label}
          <span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
      {after}
    </p>
  );
}
