import type { ConsentWords } from '../../domain/consent.ts';
import { classNames } from '../ui/class-names.ts';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';

interface ConsentTextProps {
  words: ConsentWords;
  /** For the button's aria-describedby. */
  id: string;
  className?: string;
}

/** The terms that the user accepts with the button below. The link opens in a new tab, so that no typed text is lost. */
export function ConsentText({ words: { text, terms }, id, className }: ConsentTextProps) {
  const [before = text, after = ''] = terms ? text.split(terms.label) : [];
  return (
    <p id={id} className={classNames('text-pretty text-ink-muted text-sm', className)}>
      {before}
      {terms && (
        <a href={terms.url} target="_blank" rel="noreferrer" className="link">
          {terms.label}
          <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
        </a>
      )}
      {after}
    </p>
  );
}
