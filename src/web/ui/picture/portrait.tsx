import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { Initials } from '../initials.tsx';

interface PortraitProps {
  src: string | null;
  first_name: string;
  last_name: string;
  className: string;
}

/** A photo in a circle, beside the name; the initials until it has loaded, or without one. */
export function Portrait({ src, first_name, last_name, className }: PortraitProps) {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span className={classNames('relative block shrink-0', className)}>
      <Initials first_name={first_name} last_name={last_name} className="size-full" />
      {src && src !== failed && (
        <img
          key={src}
          src={src}
          alt=""
          width={256}
          height={256}
          decoding="async"
          className="absolute inset-0 size-full rounded-full object-cover"
          onError={() => setFailed(src)}
        />
      )}
    </span>
  );
}
