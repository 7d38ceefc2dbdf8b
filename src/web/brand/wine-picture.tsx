import { winePictureUrl } from '../api/pictures/picture-urls.ts';
import { classNames } from '../ui/class-names.ts';

/** A bottle or its label, beside the wine's name. The class sets the size before it loads. */
export function WinePicture({
  wine,
  className,
}: {
  wine: { id: string; picture: string | null };
  className: string;
}) {
  const src = winePictureUrl(wine.id, wine.picture);
  if (!src) return null;
  return (
    <img
      src={src}
      alt=""
      width={240}
      height={320}
      loading="lazy"
      decoding="async"
      className={classNames('shrink-0 object-contain', className)}
    />
  );
}
