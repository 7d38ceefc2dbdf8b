import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Mails } from './mails.ts';

const LIMIT = 10 * 1024 * 1024;

/** Listens for mail and catches all of it, whoever it is for and whatever password comes with it. */
export async function startSmtp(
  mails: Mails,
  options: { port: number; host: string },
): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    size: LIMIT,
    logger: false,
    closeTimeout: 500,
    onAuth: (_auth, _session, done) => done(null, { user: 'sandbox' }),
    onData(stream, session, done) {
      receive(mails, stream, session).then(
        () => done(),
        (failure: Error) => done(failure),
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
  mails: Mails,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  if (stream.sizeExceeded) throw Object.assign(new Error('The message is too large'), { responseCode: 552 });
  await mails.receive(Buffer.concat(chunks), {
    from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    to: session.envelope.rcptTo.map((recipient) => recipient.address),
  });
}
