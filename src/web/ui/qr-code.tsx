import { useId, useMemo } from 'react';
import { classNames } from './class-names.ts';
import { qrMatrix, qrPath, quietZone } from './qr-matrix.ts';

interface QrCodeProps {
  /** Null for an empty white field while the code is being drawn. */
  text: string | null;
  size?: number;
  title: string;
  className?: string;
}

/** Dark on white in both color schemes: many readers cannot read inverted codes. */
export function QrCode({ text, size = 300, title, className }: QrCodeProps) {
  const id = useId();
  const { path, edge } = useMemo(() => {
    if (text === null) return { path: '', edge: 1 };
    const matrix = qrMatrix(text);
    return { path: qrPath(matrix), edge: matrix.length + 2 * quietZone };
  }, [text]);
  return (
    <svg
      role="img"
      aria-labelledby={id}
      width={size}
      height={size}
      viewBox={`0 0 ${edge} ${edge}`}
      shapeRendering="crispEdges"
      className={classNames('qr block h-auto max-w-full rounded-md', className)}
    >
      <title id={id}>{title}</title>
      <rect width={edge} height={edge} fill="#fff" />
      <path d={path} fill="#140c0a" />
    </svg>
  );
}
