import type { Sandbox } from '../../../sandbox/index.ts';

interface ChatRequest {
  model: string;
  max_tokens?: number;
  messages: { role: string; content: string }[];
}

/** A fetch to the sandbox's language model that records each request in `asked`. */
export function watchedModel() {
  const asked: ChatRequest[] = [];
  const watched: typeof fetch = async (input, init) => {
    asked.push(JSON.parse(String(init?.body)) as ChatRequest);
    return fetch(input, init);
  };
  return { asked, fetch: watched };
}

/** Sets the response mode of the sandbox's model. */
export async function modelMode(
  sandbox: Sandbox,
  mode: 'normal' | 'fail' | 'empty' | 'slow' | 'long',
): Promise<void> {
  await fetch(`${sandbox.url}/_sandbox/model`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode }),
  });
}
