import {
  cleanSummary,
  type MemberRecord,
  SUMMARY_INSTRUCTIONS,
  summaryPrompt,
} from '../../domain/summary.ts';
import { type OutgoingWatch, watchOutgoing } from '../platform/outgoing.ts';

/** More than any summary needs, because a model's reasoning counts too. */
const MAX_OUTPUT_TOKENS = 1000;
const SUMMARY_TIME_LIMIT_MS = 10_000;

export interface SummaryModel {
  /** Base URL of any OpenAI-compatible service; usually ends in /v1. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  timeLimitMs?: number;
  /** Replaces the global fetch in tests. */
  fetch?: typeof fetch;
  watch?: OutgoingWatch | undefined;
}

/** Writes summaries with a language model; concurrent callers for the same key share one call. */
export interface SummaryWriter {
  model: string;
  timeLimitMs: number;
  /** Plain text; '' when the model returned nothing. Throws when it fails or times out. */
  write(record: MemberRecord): Promise<string>;
  /** Runs the work, unless it is already running for this key in this process: then it returns that run's result. */
  together(key: string, work: () => Promise<string>): Promise<string>;
}

/** OpenAI's own service renamed the limit and rejects the old name, which compatible services still use. */
function withTokenLimit(baseUrl: string, body: Record<string, unknown>): Record<string, unknown> {
  if (new URL(baseUrl).hostname !== 'api.openai.com') return body;
  const { max_tokens, ...rest } = body;
  return { ...rest, max_completion_tokens: max_tokens };
}

/** The requests to the model, watched; their path says nothing about anyone. */
function watchedFetch({ fetch: send = fetch, watch = {} }: SummaryModel): typeof fetch {
  return (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    return watchOutgoing(watch, { service: 'model', method: init?.method ?? 'GET', path }, () =>
      // The answers of a member go to the configured host, and to no other that it names.
      send(input, { ...init, redirect: 'error' }),
    );
  };
}

/** A writer for the configured model; null without one. */
export function createSummaryWriter(config: SummaryModel | null): SummaryWriter | null {
  if (!config) return null;
  const { baseUrl, apiKey, model, timeLimitMs = SUMMARY_TIME_LIMIT_MS } = config;
  const running = new Map<string, Promise<string>>();
  return {
    model,
    timeLimitMs,
    async write(record) {
      // Loaded on first use, so that it does not slow down every start.
      const [{ generateText }, { createOpenAICompatible }] = await Promise.all([
        import('ai'),
        import('@ai-sdk/openai-compatible'),
      ]);
      const provider = createOpenAICompatible({
        name: 'summary',
        baseURL: baseUrl,
        ...(apiKey ? { apiKey } : {}),
        fetch: watchedFetch(config),
        transformRequestBody: (body) => withTokenLimit(baseUrl, body),
      });
      const { text } = await generateText({
        model: provider(model),
        instructions: SUMMARY_INSTRUCTIONS,
        prompt: summaryPrompt(record),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        maxRetries: 0,
        abortSignal: AbortSignal.timeout(timeLimitMs),
      });
      return cleanSummary(text);
    },
    together(key, work) {
      const current = running.get(key);
      if (current) return current;
      const started = work().finally(() => running.delete(key));
      running.set(key, started);
      return started;
    },
  };
}
