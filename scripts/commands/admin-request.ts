import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { adminSocketPath } from '../../src/server/http/admin-socket.ts';

/** The running server refuses; the message says why. */
export class ServerRefused extends Error {
  override name = 'ServerRefused';
}

/**
 * Sends a request to the admin socket of the server running on a data folder. Returns the JSON of its answer, or null if
 * no server listens there. Throws the server's refusal.
 */
export function askServer(dataDir: string, method: string, path: string, body?: object): Promise<unknown> {
  const socketPath = adminSocketPath(dataDir);
  if (!existsSync(socketPath)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath, method, path, headers: { 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(JSON.parse(text))
            : reject(new ServerRefused(text || 'The server refused.')),
        );
      },
    );
    // A killed server leaves its socket behind.
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? resolve(null) : reject(error),
    );
    call.end(body ? JSON.stringify(body) : undefined);
  });
}
