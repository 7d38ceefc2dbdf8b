import { z } from 'zod';
import { isNewer } from '../../domain/monitoring/version.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 10_000;

const release = z.object({ version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/) });

/** The release that the JSON at a URL names, if newer than this version; otherwise null. Throws without a valid answer. */
export async function findNewerRelease(url: string, own: string): Promise<string | null> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok || !answer.body) throw new Error(`The URL of UPDATE_URL answers ${answer.status}`);
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.length > MAX_BYTES) throw new Error('The answer of UPDATE_URL is too long for a version');
  }
  const { version } = release.parse(JSON.parse(text));
  return isNewer(version, own) ? version : null;
}
