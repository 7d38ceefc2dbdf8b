import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Billing } from './drive-billing.ts';

/** The URL that the sandbox sends webhooks to: nothing listens there, because the venue takes them in process. */
export const ENDPOINT = 'http://billing.test/';

/** Responds to webhooks like the server's own route, but without a connection. */
export function createEndpoint() {
  const responses: number[] = [];
  let serving: Billing | undefined;
  const answer = async (body: string, signature: string | null | undefined): Promise<Response> => {
    if (!serving) throw new Error('This venue has no billing yet');
    const { status, body: json } = await serving.handleWebhook(body, signature ?? undefined);
    responses.push(status);
    return Response.json(json, { status });
  };
  return {
    responses,
    send(url: string, init: RequestInit = {}): Promise<Response> {
      if (!url.startsWith(ENDPOINT)) return fetch(url, init);
      return answer(String(init.body), new Headers(init.headers).get('stripe-signature'));
    },
    serveWith(billing: Billing) {
      serving = billing;
    },
    /** Responds over HTTP too, until the test ends. Returns the URL. */
    async listen(): Promise<string> {
      const server = createServer(async (request, response) => {
        const signature = request.headers['stripe-signature']?.toString();
        const answered = await answer(await text(request), signature);
        response.writeHead(answered.status, { 'content-type': 'application/json' });
        response.end(await answered.text());
      });
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      const address = server.address();
      return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    },
  };
}
