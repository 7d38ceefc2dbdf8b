import { refusalOf, serverMessage } from '../client.ts';

/** The server's message, or one for a picture that the browser could not read. */
export function whyNoPicture(error: unknown): string | undefined {
  if (error instanceof Error && error.name === 'UnreadablePicture') return error.message;
  return refusalOf(error, 'PICTURE_REFUSED')?.data.why ?? serverMessage(error) ?? undefined;
}
