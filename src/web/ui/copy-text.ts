import { toast } from './toast.ts';

/** Copies to the clipboard, which browsers may refuse, and says so with one of the two texts. */
export async function copyText(text: string, success: string, failure: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(success);
  } catch {
    toast.error(failure);
  }
}
