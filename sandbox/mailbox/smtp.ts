import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Emails } from './emails.ts';

const MAX_BYTES = 10 * 1024 * 1024;

/** Answers of a recipient's server, by the domain of the address. Enhanced codes: RFC 3463. */
const REFUSALS: Record<string, { responseCode: number; message: string }> = {
  'unknown.example': { responseCode: 550, message: '5.1.1 No such user here' },
  'full.example': { responseCode: 552, message: '5.2.2 The mailbox is full' },
  'busy.example': { responseCode: 451, message: '4.7.1 Try again later' },
  'relay.example': { responseCode: 550, message: '5.7.1 Relaying denied' },
  'limit.example': { responseCode: 550, message: '5.4.5 Daily user sending limit exceeded' },
  'blocked.example': { responseCode: 554, message: '5.7.1 Client host blocked using a list' },
};

/** Accepts every email with any credentials, and for any recipient but those of `REFUSALS`. */
export async function startSmtp(
  emails: Emails,
  options: { port: number; host: string },
): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    size: MAX_BYTES,
    logger: false,
    closeTimeout: 500,
    onAuth: (_auth, _session, callback) => callback(null, { user: 'sandbox' }),
    onRcptTo({ address: to }, _session, callback) {
      const refusal = REFUSALS[to.split('@').at(-1) ?? ''];
      callback(refusal ? Object.assign(new Error(refusal.message), refusal) : null);
    },
    onData(stream, session, callback) {
      receive(emails, stream, session).then(
        () => callback(),
        (failure: Error) => callback(failure),
      );
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function receive(
  emails: Emails,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  if (stream.sizeExceeded) throw Object.assign(new Error('The message is too large'), { responseCode: 552 });
  await emails.receive(Buffer.concat(chunks), {
    from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    to: session.envelope.rcptTo.map((recipient) => recipient.address),
  });
}
