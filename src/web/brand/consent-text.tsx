import type { ConsentWords } from '../../domain/consent.ts';

interface ConsentTextProps {
  words: ConsentWords;
  /** For the button's aria-describedby. */
  id: string;
}

/** The terms that the user accepts with the button below. The link opens in a new tab, so that no typed text is lost. */
export function ConsentText({ words: { text, terms }, id }: ConsentTextProps) {
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
