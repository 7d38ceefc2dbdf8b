import type { Logger } from 'pino';
import { emailWording } from '../../../contract/staff/emails.ts';
import {
  EMAIL_KIND_NAMES,
  type EmailKind,
  type EmailWording,
  wordingProblems,
} from '../../../domain/club/emails.ts';
import type { Db, Tx } from '../../db/client.ts';
import { email_wording } from '../../db/schema.ts';

export interface StoredWording {
  wording: EmailWording;
  /** 0 before the first change. */
  version: number;
  /** Why it is invalid, such as a removed variable; null if it is valid. */
  problem: string | null;
}

/** Stored wordings by kind of email; kinds that no longer exist are left out. */
export async function readStoredWordings(db: Db | Tx): Promise<Map<EmailKind, StoredWording>> {
  const rows = await db.select().from(email_wording);
  const known = rows.flatMap(({ kind, wording, version }) =>
    isEmailKind(kind) ? [[kind, readWording(kind, wording, version)] as const] : [],
  );
  return new Map(known);
}

const isEmailKind = (kind: string): kind is EmailKind => (EMAIL_KIND_NAMES as string[]).includes(kind);

function readWording(kind: EmailKind, stored: unknown, version: number): StoredWording {
  const read = emailWording.safeParse(stored);
  if (!read.success) {
    return { wording: asTexts(stored), version, problem: 'What is stored cannot be read.' };
  }
  return { wording: read.data, version, problem: wordingProblems(kind, read.data)?.text ?? null };
}

/** Shows staff their earlier wording, to correct it. */
function asTexts(stored: unknown): EmailWording {
  const fields = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const text = (it: unknown) => (typeof it === 'string' ? it.slice(0, 1000) : '');
  return { subject: text(fields.subject), opening: text(fields.opening), closing: text(fields.closing) };
}

/** Reads and caches the venue's wordings. Logs invalid ones. Throws the database's errors. */
export async function openWordings(db: Db, log?: Logger) {
  const stored = new Map<EmailKind, StoredWording>();
  /** Leaves the cache unchanged if the database fails. */
  const refresh = async () => {
    for (const [kind, read] of await readStoredWordings(db)) {
      const before = stored.get(kind);
      // Reads can overtake each other.
      if (before && read.version <= before.version) continue;
      stored.set(kind, read);
      if (read.problem) log?.warn({ kind, why: read.problem }, 'an email goes out in its default wording');
    }
  };
  await refresh();
  return {
    refresh,
    of(kind: EmailKind): EmailWording | null {
      const found = stored.get(kind);
      return found && found.problem === null ? found.wording : null;
    },
  };
}
