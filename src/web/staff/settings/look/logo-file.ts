import { LOGO_PATH, LOGO_SHAPE, type LogoFacts, plateOf } from '../../../../domain/club/logo.ts';
import { shrinkPicture } from '../../../ui/picture/shrink-picture.ts';

export interface ShownLogo extends Omit<LogoFacts, 'version'> {
  src: string;
}

export interface ChosenLogo extends ShownLogo {
  /** Base64. */
  content: string;
}

export const savedLogo = ({ version, ...facts }: LogoFacts): ShownLogo => ({
  ...facts,
  src: `${LOGO_PATH}?v=${encodeURIComponent(version)}`,
});

/** Reads a file like the server will, for a preview before saving. Throws UnreadablePicture. */
export async function readLogo(file: Blob): Promise<ChosenLogo> {
  const content = await shrinkPicture(file, LOGO_SHAPE);
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = bitmap;
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext('2d');
  pen?.drawImage(bitmap, 0, 0);
  bitmap.close();
  const plate = pen ? plateOf(pen.getImageData(0, 0, width, height).data) : null;
  return { content, src: `data:image/png;base64,${content}`, width, height, plate };
}

/** The current logo, to restore it later; null if it cannot be read. */
export async function keepLogo({ src }: ShownLogo): Promise<ChosenLogo | null> {
  try {
    const response = await fetch(src);
    return response.ok ? await readLogo(await response.blob()) : null;
  } catch {
    return null;
  }
}
