import {
  cleanSummary,
  type MemberRecord,
  SUMMARY_INSTRUCTIONS,
  summaryPrompt,
} from '../../domain/summary.ts';

/** Longer than any summary: the thoughts of a model that thinks first are counted too. */
const MAX_OUTPUT_TOKENS = 1000;
export const SUMMARY_TIME_LIMIT_MS = 10_000;

export interface SummaryModel {
  /** Of any OpenAI-compatible service, ending in /v1 as a rule. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  timeLimitMs?: number;
  /** Instead of the global one, where the calls are to be seen. */
  fetch?: typeof fetch;
}

/** Writes summaries through a language model, and lets callers of the same one share a call. */
export interface SummaryWriter {
  model: string;
  timeLimitMs: number;
  /** Plain text; '' when the model said nothing. Throws when it failed or took too long. */
  write(guest: MemberRecord): Promise<string>;
  /** Runs the work unless it is under way for this key in this process; then answers what that one does. */
  together(key: string, work: () => Promise<string>): Promise<string>;
}

/** OpenAI's own service has renamed the limit and refuses the name that the compatible ones know. */
function withTheirLimit(baseUrl: string, body: Record<string, unknown>): Record<string, unknown> {
  if (new URL(baseUrl).hostname !== 'api.openai.com') return body;
  const { max_tokens, ...rest } = body;
  return { ...rest, max_completion_tokens: max_tokens };
}

/** A writer for the model configured; null without an address, and then nothing is ever asked. */
export function createSummaryWriter(config: SummaryModel | null): SummaryWriter | null {
  if (!config) return null;
  const { baseUrl, apiKey, model, timeLimitMs = SUMMARY_TIME_LIMIT_MS } = config;
  const underWay = new Map<string, Promise<string>>();
  return {
    model,
    timeLimitMs,
    async write(guest) {
      // Loaded when first needed: a venue without a model does not wait for it at every start.
      const [{ generateText }, { createOpenAICompatible }] = await Promise.all([
        import('ai'),
        import('@ai-sdk/openai-compatible'),
      ]);
      const provider = createOpenAICompatible({
        name: 'summary',
        baseURL: baseUrl,
        ...(apiKey ? { apiKey } : {}),
        ...(config.fetch ? { fetch: config.fetch } : {}),
        transformRequestBody: (body) => withTheirLimit(baseUrl, body),
      });
      const { text } = await generateText({
        model: provider(model),
        instructions: SUMMARY_INSTRUCTIONS,
        prompt: summaryPrompt(guest),
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        maxRetries: 0,
        abortSignal: AbortSignal.timeout(timeLimitMs),
      });
      return cleanSummary(text);
    },
    together(key, work) {
      const running = underWay.get(key);
      if (running) return running;
      const started = work().finally(() => underWay.delete(key));
      underWay.set(key, started);
      return started;
    },
  };
}
