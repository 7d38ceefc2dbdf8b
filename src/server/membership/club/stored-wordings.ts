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
  const entries = rows.flatMap(({ kind, wording, version }) =>
    isEmailKind(kind) ? [[kind, readWording(kind, wording, version)] as const] : [],
  );
  return new Map(entries);
}

const isEmailKind = (kind: string): kind is EmailKind => (EMAIL_KIND_NAMES as string[]).includes(kind);

function readWording(kind: EmailKind, value: unknown, version: number): StoredWording {
  const result = emailWording.safeParse(value);
  if (!result.success) {
    return { wording: asTexts(value), version, problem: 'What is stored cannot be read.' };
  }
  return { wording: result.data, version, problem: wordingProblems(kind, result.data)?.text ?? null };
}

/** Shows staff their earlier wording, to correct it. */
function asTexts(value: unknown): EmailWording {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 1000) : '');
  return { subject: text(fields.subject), opening: text(fields.opening), closing: text(fields.closing) };
}

/** Reads and caches the venue's wordings. Logs invalid ones. Throws the database's errors. */
export async function openWordings(db: Db, log?: Logger) {
  const wordings = new Map<EmailKind, StoredWording>();
  /** Leaves the cache unchanged if the database fails. */
  const refresh = async () => {
    for (const [kind, row] of await readStoredWordings(db)) {
      const before = wordings.get(kind);
      // Reads can overtake each other.
      if (before && row.version <= before.version) continue;
      wordings.set(kind, row);
      if (row.problem) log?.warn({ kind, why: row.problem }, 'an email goes out in its default wording');
    }
  };
  await refresh();
  return {
    refresh,
    of(kind: EmailKind): EmailWording | null {
      const entry = wordings.get(kind);
      return entry && entry.problem === null ? entry.wording : null;
    },
  };
}
