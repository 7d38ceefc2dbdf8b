import { toast } from './toast.ts';

/** Copies to the clipboard, which browsers may refuse, and says so with one of the two texts. */
export async function copyText(text: string, copied: string, refused: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(copied);
  } catch {
    toast.error(refused);
  }
}
