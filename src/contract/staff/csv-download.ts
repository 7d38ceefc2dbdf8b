import { z } from 'zod';

/** A CSV file, streamed while it is made; the route has `answersFile`. */
export const csvDownload = z.object({
  headers: z.object({ 'content-type': z.string(), 'content-disposition': z.string() }),
  body: z.custom<ReadableStream<Uint8Array>>((it) => it instanceof ReadableStream),
});
export type CsvDownload = z.infer<typeof csvDownload>;
