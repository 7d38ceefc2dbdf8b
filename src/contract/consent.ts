import { z } from 'zod';
import type { ConsentWords } from '../domain/consent.ts';
import { text } from './text.ts';

/** The version of the text shown beside the button (domain/consent.ts). Without it none was shown, and none is stored. */
export const consentVersion = text(16)
  .regex(/^[0-9a-f]{16}$/)
  .optional();

export const consentWords = z.object({
  version: z.string(),
  text: z.string(),
  terms: z.object({ label: z.string(), url: z.string() }).nullable(),
}) satisfies z.ZodType<ConsentWords>;
