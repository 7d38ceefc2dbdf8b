import { connect, type Socket } from 'node:net';

export interface HttpResponse {
  status: number;
  /** The status line and the headers. */
  head: string;
  body(): string;
}

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;

/** A connection that stays open, for one request at a time. */
class Connection {
  readonly #socket: Socket;
  #received = '';
  #waiting: PromiseWithResolvers<HttpResponse> | undefined;

  constructor(origin: URL) {
    this.#socket = connect({ host: origin.hostname, port: Number(origin.port), noDelay: true });
    // One character for each byte, as content-length counts.
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#receive(text));
    this.#socket.on('error', (error) => this.#waiting?.reject(error));
    this.#socket.on('close', () => this.#waiting?.reject(new Error('The server closed the connection')));
  }

  get open(): boolean {
    return this.#socket.readyState === 'open' || this.#socket.connecting;
  }

  ask(request: string): Promise<HttpResponse> {
    this.#waiting = Promise.withResolvers<HttpResponse>();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (!length) {
      this.#waiting?.reject(new Error(`A response without a length: ${head}`));
      return;
    }
    const body = this.#received.slice(end + HEAD_END.length);
    if (body.length < Number(length)) return;
    this.#received = '';
    this.#waiting?.resolve({
      status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
      head,
      body: () => Buffer.from(body, 'latin1').toString(),
    });
  }
}

/**
 * Open connections to a server, one for each request in flight. Node's own client would take processor time from the server
 * and the database.
 */
export class Connections {
  readonly origin: string;
  readonly #all = new Set<Connection>();
  readonly #free: Connection[] = [];

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Sends the bytes of a request. Rejects if the connection closes before the response is complete. */
  async ask(request: string): Promise<HttpResponse> {
    const connection = this.#take();
    const response = await connection.ask(request);
    this.#free.push(connection);
    return response;
  }

  /** Requests in flight get no response. */
  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #take(): Connection {
    for (let connection = this.#free.pop(); connection; connection = this.#free.pop()) {
      if (connection.open) return connection;
      this.#all.delete(connection);
    }
    const connection = new Connection(new URL(this.origin));
    this.#all.add(connection);
    return connection;
  }
}
