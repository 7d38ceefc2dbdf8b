import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { newId } from '../payments/store/world.ts';
import { readJson, writeJson } from '../storage.ts';

/** A caught email. `at` is ISO time; `to` holds the recipients of the SMTP envelope. */
export interface Email {
  id: string;
  at: string;
  from: string;
  from_name: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface Emails {
  /** Newest first, for one recipient or all. */
  list(to?: string): Email[];
  find(id: string): Email | undefined;
  /** Stores a raw message as SMTP delivered it. */
  receive(raw: Buffer, envelope: { from: string; to: string[] }): Promise<Email>;
  /** Deletes the emails of one recipient, or all. Returns how many. */
  remove(to?: string): number;
}

/** Opens the mail folder, in which each email is a file. Without a folder, emails live in memory only. */
export function openEmails(dir: string | undefined, now: () => number): Emails {
  const emails = new Map<string, Email>();
  if (dir) for (const email of readAll(dir)) emails.set(email.id, email);
  const sentTo = (to: string | undefined) =>
    [...emails.values()].filter(
      (email) => to === undefined || email.to.some((address) => address.toLowerCase() === to.toLowerCase()),
    );

  return {
    list: (to) => sentTo(to).reverse(),
    find: (id) => emails.get(id),
    async receive(raw, envelope) {
      const message = await PostalMime.parse(raw);
      const email: Email = {
        id: newId('mail', 14),
        at: new Date(now()).toISOString(),
        from: message.from?.address ?? envelope.from,
        from_name: message.from?.name ?? '',
        to: envelope.to,
        subject: message.subject ?? '',
        text: message.text ?? '',
        html: message.html ?? '',
        headers: Object.fromEntries(message.headers.map((header) => [header.key, header.value])),
      };
      if (dir) writeJson(join(dir, `${email.id}.json`), email);
      emails.set(email.id, email);
      return email;
    },
    remove(to) {
      const matches = sentTo(to);
      for (const email of matches) {
        emails.delete(email.id);
        if (dir) rmSync(join(dir, `${email.id}.json`), { force: true });
      }
      return matches.length;
    },
  };
}

function readAll(dir: string): Email[] {
  let names: string[];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  const emails = names.map((name) => readJson(join(dir, name)) as Email);
  return emails.sort((a, b) => a.at.localeCompare(b.at));
}
