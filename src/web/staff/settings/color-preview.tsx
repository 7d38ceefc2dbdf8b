import type { CSSProperties } from 'react';
import { accentTokens, type Scheme, SURROUNDINGS } from '../../../domain/club/colors.ts';

const NAMES = { light: 'Light', dark: 'Dark' } as const;

/** The tokens of one scheme, whichever the page itself shows. */
function tokensOf(scheme: Scheme, color: string): CSSProperties {
  const tokens = { ...SURROUNDINGS[scheme], ...accentTokens(scheme, color) };
  return Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--color-${name}`, value]));
}

/** How a color looks on what members and staff see most, in both schemes at once. Nothing in it can be pressed. */
export function ColorPreview({ color }: { color: string }) {
  return (
    <div className="grid gap-3 sm:grid-cols-2" role="img" aria-label={`How ${color} looks, light and dark`}>
      {(['light', 'dark'] as const).map((scheme) => (
        <div
          key={scheme}
          aria-hidden="true"
          style={tokensOf(scheme, color)}
          className="rounded-lg border border-line bg-background p-4 text-ink"
        >
          <p className="mb-2 text-ink-muted text-xs">{NAMES[scheme]}</p>
          <div className="flex flex-col items-start gap-3 rounded-md bg-surface p-4">
            <p className="font-title text-xl">Your Card</p>
            <p className="text-sm">
              7 of 10 glasses left. <span className="text-accent-text underline">View History</span>
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
