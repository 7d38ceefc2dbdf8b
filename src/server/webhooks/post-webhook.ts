import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import type { WebhookNetwork } from './webhook-network.ts';

/** The timeout of a try in total: resolving the name, connecting, and the answer. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1000;
const MAX_ERROR_LENGTH = 200;

export interface Answer {
  /** Null without an answer. */
  status: number | null;
  duration_ms: number;
  error: string | null;
  /** The start of the body. */
  answer: string | null;
}

interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Posts a message. Follows no redirect, and never throws. */
export async function postWebhook(network: WebhookNetwork, message: Message): Promise<Answer> {
  const start = performance.now();
  const duration = () => Math.round(performance.now() - start);
  try {
    const { status, answer } = await post(network, message);
    return { status, answer, error: null, duration_ms: duration() };
  } catch (error) {
    const message = error instanceof Error ? error.message || error.name : String(error);
    const text = isTimeout(error) ? `No answer within ${TIMEOUT_MS / 1000} seconds` : plainText(message);
    return { status: null, answer: null, error: text.slice(0, MAX_ERROR_LENGTH), duration_ms: duration() };
  }
}

const isTimeout = (error: unknown) =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

/** Postgres stores no NUL. */
const plainText = (text: string) => text.replaceAll('\0', '');

async function post(network: WebhookNetwork, { url, headers, body }: Message) {
  const { hostname } = new URL(url);
  // Node skips the lookup for an IP.
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) && (await network.reach(hostname)) !== 'allowed') {
    throw new Error('The address is in a network that is not allowed');
  }
  return new Promise<{ status: number; answer: string }>((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const options = { method: 'POST', headers, agent: network.agent, signal };
    const outgoing = request(url, options, (response) => {
      readStart(response).then((answer) => resolve({ status: response.statusCode ?? 0, answer }), reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** The start of a body, as text. Closes the connection once there is enough. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  response.destroy();
  return plainText(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8'));
}
