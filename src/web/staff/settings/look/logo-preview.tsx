import { isWordmark, PLATE_EDGE, plateIn } from '../../../../domain/club/logo.ts';
import { site } from '../../../api/site.ts';
import { SCHEMES, schemeTokens } from './color-preview.tsx';
import type { ShownLogo } from './logo-file.ts';

/** A logo in the page header and above the sign-in form, light and dark. Not interactive. */
export function LogoPreview({ logo }: { logo: ShownLogo }) {
  const { src, width, height } = logo;
  return (
    <div className="grid gap-3 sm:grid-cols-2" role="img" aria-label="How the logo looks, light and dark">
      {SCHEMES.map(({ scheme, name }) => {
        const plate = plateIn(scheme, logo);
        const drawn = (size: string) => (
          <img
            src={src}
            alt=""
            width={width}
            height={height}
            style={{ backgroundColor: plate, boxShadow: `0 0 0 ${PLATE_EDGE} ${plate}` }}
            className={`w-auto max-w-full shrink-0 rounded-sm object-contain ${size}`}
          />
        );
        return (
          <div
            key={scheme}
            aria-hidden="true"
            style={schemeTokens(scheme, site.accent)}
            className="overflow-hidden rounded-lg border border-line bg-background text-ink"
          >
            <div className="flex items-center gap-3 border-line border-b bg-surface px-4 py-2 font-title text-lg">
              {drawn('h-8')}
              {!isWordmark(logo) && <span className="truncate">{site.club_name}</span>}
            </div>
            <div className="flex flex-col items-center px-4 pt-5 pb-6 text-center">
              {drawn('h-18')}
              <p className="mt-4 text-balance font-title text-2xl">{site.club_name}</p>
              <p className="mt-1 text-ink-muted text-xs">{name}</p>
            </div>
          </div>
        );
      })}
    </div>
  );
}
