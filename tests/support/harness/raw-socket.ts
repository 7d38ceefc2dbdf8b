import { connect } from 'node:net';

/**
 * Sends raw text to a local server. Resolves with everything received once the server closes the connection, so send
 * 'Connection: close' unless the server closes it anyway. A reset counts as closed.
 */
export function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, 'localhost', () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') reject(error);
    });
    socket.on('close', () => resolve(received));
  });
}

/** The HTTP status of a raw response, or 0 if there is none. */
export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
