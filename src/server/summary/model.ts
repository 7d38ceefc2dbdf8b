import { z } from 'zod';
import {
  cleanSummary,
  type MemberRecord,
  SUMMARY_INSTRUCTIONS,
  summaryPrompt,
} from '../../domain/summary.ts';
import { type CallWatch, watchCall } from '../platform/watch-call.ts';

/** More than any summary needs, because a model's reasoning counts too. */
const MAX_OUTPUT_TOKENS = 1000;
/** Many times the size of a normal completion. */
const MAX_BODY_BYTES = 256 * 1024;
const SUMMARY_TIME_LIMIT_MS = 10_000;

export interface SummaryModel {
  /** Base URL of any OpenAI-compatible service; usually ends in /v1. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  timeLimitMs?: number;
  /** Replaces the global fetch in tests. */
  fetch?: typeof fetch;
  watch?: CallWatch | undefined;
}

/** Writes summaries with a language model; concurrent callers for the same key share one call. */
export interface SummaryWriter {
  model: string;
  timeLimitMs: number;
  /** Plain text; '' if the model returned nothing. Throws if it fails or times out. */
  write(record: MemberRecord): Promise<string>;
  /** Runs the work, unless it is already running for this key in this process: then returns that run's result. */
  together(key: string, work: () => Promise<string>): Promise<string>;
}

/** The model's service refused, failed, or sent too much. */
class ModelError extends Error {
  override name = 'ModelError';
  readonly statusCode: number;

  constructor(statusCode: number) {
    super('The language model failed');
    this.statusCode = statusCode;
  }
}

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
});

/** OpenAI's own service renamed the limit and rejects the old name, which compatible services still use. */
const tokenLimit = (url: URL) =>
  url.hostname === 'api.openai.com'
    ? { max_completion_tokens: MAX_OUTPUT_TOKENS }
    : { max_tokens: MAX_OUTPUT_TOKENS };

/** One chat completion, as text. Throws ModelError, or the error of fetch, of the parser or of the schema. */
async function complete(config: SummaryModel, timeLimitMs: number, prompt: string): Promise<string> {
  const { baseUrl, apiKey, model, fetch: send = fetch, watch = {} } = config;
  const url = new URL(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/chat/completions`);
  const messages = [
    { role: 'system', content: SUMMARY_INSTRUCTIONS },
    { role: 'user', content: prompt },
  ];
  const request: RequestInit = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, messages, ...tokenLimit(url) }),
    // The member's answers go to the configured host only, never to a redirect.
    redirect: 'error',
    signal: AbortSignal.timeout(timeLimitMs),
  };
  const response = await watchCall(watch, { service: 'model', method: 'POST', path: url.pathname }, () =>
    send(url, request),
  );
  const body = await readBounded(response);
  if (!response.ok || body === null) throw new ModelError(response.status);
  return completion.parse(JSON.parse(body)).choices[0]?.message.content ?? '';
}

/** The body as text; null, with the connection closed, if it is too long. */
async function readBounded({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A writer for the configured model; null if there is none. */
export function createSummaryWriter(config: SummaryModel | null): SummaryWriter | null {
  if (!config) return null;
  const { model, timeLimitMs = SUMMARY_TIME_LIMIT_MS } = config;
  const runs = new Map<string, Promise<string>>();
  return {
    model,
    timeLimitMs,
    write: async (record) => cleanSummary(await complete(config, timeLimitMs, summaryPrompt(record))),
    together(key, work) {
      const current = runs.get(key);
      if (current) return current;
      const run = work().finally(() => runs.delete(key));
      runs.set(key, run);
      return run;
    },
  };
}
