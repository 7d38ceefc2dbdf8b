import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { newId } from '../payments/store/world.ts';
import { findRatings, portrait } from './prose.ts';

const MODES = ['normal', 'fail', 'empty', 'slow', 'long'] as const;
type Mode = (typeof MODES)[number];
const LIMIT = 256 * 1024;

export interface ModelControl {
  mode(): Mode;
  /** Returns false, and changes nothing, for an unknown mode. */
  setMode(mode: unknown): boolean;
}

export function createModelControl(): ModelControl {
  let current: Mode = 'normal';
  return {
    mode: () => current,
    setMode(mode) {
      const choice = MODES.find((name) => name === mode);
      if (choice) current = choice;
      return choice !== undefined;
    },
  };
}

/** An OpenAI-compatible chat endpoint. Its reply, after `slowMs` in the mode `slow`, follows the prompt's ratings. */
export function modelRoutes(control: ModelControl, now: () => number, slowMs = 20_000): Hono {
  const app = new Hono();
  const failure = (message: string, type: string) => ({ error: { message, type, param: null, code: null } });

  app.use('/model/v1/*', async (c, next) => {
    if (!/^Bearer \S+/.test(c.req.header('authorization') ?? ''))
      return c.json(failure('You did not provide an API key.', 'invalid_request_error'), 401);
    await next();
  });

  app.post('/model/v1/chat/completions', async (c) => {
    const request = await readRequest(c.req.raw);
    if (typeof request === 'string') return c.json(failure(request, 'invalid_request_error'), 400);
    const mode = control.mode();
    if (mode === 'fail') return c.json(failure('The model is overloaded.', 'server_error'), 500);
    if (mode === 'slow') {
      const { signal } = c.req.raw;
      await setTimeout(slowMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    const content = replyTo(request.prompt, mode);
    const head = { id: newId('chatcmpl'), created: Math.floor(now() / 1000), model: request.model };
    const usage = {
      prompt_tokens: Math.ceil(request.prompt.length / 4),
      completion_tokens: Math.ceil(content.length / 4),
      total_tokens: Math.ceil(request.prompt.length / 4) + Math.ceil(content.length / 4),
    };
    return c.json({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content, refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage,
    });
  });

  app.all('/model/*', (c) =>
    c.json(failure(`Unknown request URL: ${c.req.method} ${c.req.path}.`, 'invalid_request_error'), 404),
  );
  return app;
}

function replyTo(prompt: string, mode: Mode): string {
  if (mode === 'empty') return '';
  const paragraph = portrait(findRatings(prompt));
  return mode === 'long' ? Array.from({ length: 60 }, () => paragraph).join('\n\n') : paragraph;
}

interface ChatRequest {
  model: string;
  prompt: string;
}

/** Reads a request, or returns what is wrong with it. Uses only the user's messages, never the instructions. */
async function readRequest(request: Request): Promise<ChatRequest | string> {
  const text = await request.text();
  if (text.length > LIMIT) return 'The request is too large.';
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return 'We could not parse the JSON body of your request.';
  }
  if (typeof body?.model !== 'string') return 'you must provide a model parameter';
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return "Missing required parameter: 'messages'.";
  if (body.stream === true) return 'Streaming is not supported.';
  return { model: body.model, prompt: body.messages.map(messageText).join('\n') };
}

function messageText(message: unknown): string {
  const { content, role } = (message ?? {}) as { content?: unknown; role?: unknown };
  if (role !== 'user') return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : ''))
    .join('\n');
}
