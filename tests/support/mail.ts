import type { TestApp } from './app.ts';

export interface ReadMail {
  subject: string;
  text: string;
}

/** The newest mail that reached an address, after sending what waits; undefined when there is none. */
export async function mailTo(app: TestApp, email: string): Promise<ReadMail | undefined> {
  // It sends some at a time.
  let sent = 1;
  while (sent > 0) ({ sent } = await app.services.outbox.deliver());
  const url = `${app.sandbox.url}/mailbox/api/messages?to=${encodeURIComponent(email)}`;
  const { messages } = (await (await fetch(url)).json()) as { messages: ReadMail[] };
  return messages[0];
}

/** The token at the end of the link to a page in a mail. */
export function tokenIn(mail: ReadMail | undefined, page: string): string {
  const token = mail?.text.split(page)[1]?.split(/\s/)[0];
  if (!token) throw new Error(`No link to ${page} in ${mail?.text ?? 'no mail'}`);
  return token;
}
