import { connect } from 'node:net';

/**
 * Writes that text as it stands to a server on this machine, and answers all that came back once the server has
 * closed the connection. Whoever wants it closed after the answer says 'Connection: close'.
 */
export function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, 'localhost', () => socket.write(text));
    let heard = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') reject(error);
    });
    socket.on('close', () => resolve(heard));
  });
}

/** The status of a raw answer; 0 for none at all. */
export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
