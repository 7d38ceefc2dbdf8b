import type { CSSProperties } from 'react';
import { accentTokens, type Scheme, SURROUNDINGS } from '../../../../domain/club/colors.ts';

export const SCHEMES = [
  { scheme: 'light', name: 'Light' },
  { scheme: 'dark', name: 'Dark' },
] as const;

/** The lines of each scheme, as in src/web/styles/tokens.css. */
const LINES = { light: '#dfd2bd', dark: '#3b2e2a' };

/** The tokens of one scheme, independent of the page's own. */
export function schemeTokens(scheme: Scheme, color: string | null): CSSProperties {
  const tokens = { ...SURROUNDINGS[scheme], line: LINES[scheme], ...(color && accentTokens(scheme, color)) };
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--color-${name}`, value]));
}

export function ColorPreview({ color }: { color: string }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2" role="img" aria-label={`How ${color} looks, light and dark`}>
      {SCHEMES.map(({ scheme, name }) => (
        <div
          key={scheme}
          aria-hidden="true"
          style={schemeTokens(scheme, color)}
          className="rounded-lg border border-line bg-background p-4 text-ink"
        >
          <p className="mb-2 text-ink-muted text-xs">{name}</p>
          <div className="flex flex-col items-start gap-3 rounded-md bg-surface p-4">
            <p className="font-title text-xl">Your Card</p>
            <p className="text-sm">
              7 of 10 pours left. <span className="text-accent-text underline">View History</span>
            </p>
            <p className="rounded-md bg-accent-soft px-3 py-1.5 text-sm">
              <span className="text-accent-text">Resets</span> on your monthly billing date
            </p>
            <div className="flex flex-wrap gap-2">
              <span className="rounded-md bg-accent px-4 py-2 font-semibold text-accent-ink text-sm">
                Pour 1, Bar
              </span>
              <span className="rounded-md bg-accent-hover px-4 py-2 font-semibold text-accent-ink text-sm">
                Pressed
              </span>
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}
