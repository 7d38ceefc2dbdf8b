import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { newId } from '../payments/store/ids.ts';
import { readJson, writeJson } from '../storage.ts';

/** A caught mail. `at` is ISO time; `to` holds the addresses it was really sent to. */
export interface Mail {
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

export interface Mails {
  /** Newest first, of one recipient or all. */
  list(to?: string): Mail[];
  find(id: string): Mail | undefined;
  /** Takes in a raw message as SMTP gave it. */
  receive(raw: Buffer, envelope: { from: string; to: string[] }): Promise<Mail>;
  /** Removes one mail, those of one recipient, or all. Answers how many went. */
  remove(which?: { id?: string; to?: string }): number;
}

/** Opens the mail folder; each mail is a file of its own. Without a folder mails live in memory only. */
export function openMails(dir: string | undefined, now: () => number): Mails {
  const mails = new Map<string, Mail>();
  if (dir) for (const mail of readAll(dir)) mails.set(mail.id, mail);
  const sentTo = (mail: Mail, to: string) =>
    mail.to.some((address) => address.toLowerCase() === to.toLowerCase());

  return {
    list: (to) => [...mails.values()].filter((mail) => to === undefined || sentTo(mail, to)).reverse(),
    find: (id) => mails.get(id),
    async receive(raw, envelope) {
      const parsed = await PostalMime.parse(raw);
      const mail: Mail = {
        id: newId('mail', 14),
        at: new Date(now()).toISOString(),
        from: parsed.from?.address ?? envelope.from,
        from_name: parsed.from?.name ?? '',
        to: envelope.to,
        subject: parsed.subject ?? '',
        text: parsed.text ?? '',
        html: parsed.html ?? '',
        headers: Object.fromEntries(parsed.headers.map((header) => [header.key, header.value])),
      };
      if (dir) writeJson(join(dir, `${mail.id}.json`), mail);
      mails.set(mail.id, mail);
      return mail;
    },
    remove(which = {}) {
      const gone = [...mails.values()].filter(
        (mail) =>
          (which.id === undefined || mail.id === which.id) &&
          (which.to === undefined || sentTo(mail, which.to)),
      );
      for (const mail of gone) {
        mails.delete(mail.id);
        if (dir) rmSync(join(dir, `${mail.id}.json`), { force: true });
      }
      return gone.length;
    },
  };
}

function readAll(dir: string): Mail[] {
  let names: string[];
  try {
    names = readdirSync(dir).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  const mails = names.map((name) => readJson(join(dir, name)) as Mail);
  return mails.sort((a, b) => a.at.localeCompare(b.at));
}
