import { z } from 'zod';
import { isNewer } from '../../domain/monitoring/version.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 10_000;

const release = z.object({ version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/) });

/** UPDATE_URL did not answer with a release; the message says why. */
class UpdateCheckError extends Error {
  override name = 'UpdateCheckError';
}

/**
 * The release that the JSON at a URL names, if newer than this version; otherwise null. Throws UpdateCheckError without a
 * valid answer.
 */
export async function findNewerRelease(url: string, ownVersion: string): Promise<string | null> {
  const { version } = await readRelease(url);
  return isNewer(version, ownVersion) ? version : null;
}

async function readRelease(url: string): Promise<z.infer<typeof release>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { redirect: 'error', signal }).catch((error: Error) => {
    const { message, code } = (error.cause ?? error) as NodeJS.ErrnoException;
    throw new UpdateCheckError(
      `UPDATE_URL cannot be reached (${message || code}): check it, and the network.`,
      { cause: error },
    );
  });
  if (!answer.ok || !answer.body)
    throw new UpdateCheckError(`UPDATE_URL answers ${answer.status}: check its address.`);
  let text = '';
  try {
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (text.length > MAX_BYTES) break;
    }
  } catch (error) {
    throw failure('broke off: try again', error);
  }
  if (text.length > MAX_BYTES) throw failure('is too long for a version: check its address');
  try {
    return release.parse(JSON.parse(text));
  } catch (error) {
    throw failure('names no version, such as {"version": "1.2.3"}: check its address', error);
  }
}

const failure = (problem: string, cause?: unknown) =>
  new UpdateCheckError(`The answer of UPDATE_URL ${problem}.`, { cause });
