import { and, asc, eq, isNull, lte } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Db, Tx } from '../db/client.ts';
import { outbox_email } from '../db/schema.ts';
import type { Email } from './email.ts';

export interface OutboxDeps {
  db: Db;
  now(): Date;
  newId(): string;
  log: Logger;
  /** smtp:// or smtps:// with its credentials; null keeps mail in the database and sends none. */
  smtpUrl: string | null;
  /** 'Name <address>'. */
  from: string;
}

interface Recipient {
  /** Null for an address without an account: it is forgotten with the sending, or after a week of trying. */
  user_id: string | null;
  email: string;
}

/** The one way mail leaves: written with its cause's transaction, sent after it, never twice for one cause. */
export interface Outbox {
  /** Adds a letter inside the caller's transaction. The same cause again is nothing new. */
  post(tx: Db | Tx, cause: string, to: Recipient, letter: Email): Promise<void>;
  /** Sends what is due, oldest first. Failures are tried again later, further and further apart. */
  deliver(): Promise<{ sent: number; failed: number }>;
}

const BATCH = 20;
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 6 * 3_600_000;
const TIMEOUT_MS = 10_000;
/** How long the address of somebody without an account is kept for a mail that cannot be sent. */
const WITHOUT_ACCOUNT_MS = 7 * 24 * 3_600_000;

/** Waits double from 30 seconds to 6 hours. */
function retryAfter(attempts: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
}

export function createOutbox({ db, now, newId, log, smtpUrl, from }: OutboxDeps): Outbox {
  const transport = smtpUrl
    ? createTransport({ url: smtpUrl, connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
    : null;
  let running: Promise<{ sent: number; failed: number }> | null = null;

  async function sendDue(): Promise<{ sent: number; failed: number }> {
    const outcome = { sent: 0, failed: 0 };
    const stale = new Date(now().getTime() - WITHOUT_ACCOUNT_MS);
    await db
      .delete(outbox_email)
      .where(
        and(isNull(outbox_email.user_id), isNull(outbox_email.sent_at), lte(outbox_email.created_at, stale)),
      );
    if (!transport) return outcome;
    const due = await db
      .select({ id: outbox_email.id })
      .from(outbox_email)
      .where(and(isNull(outbox_email.sent_at), lte(outbox_email.next_attempt_at, now())))
      .orderBy(asc(outbox_email.next_attempt_at))
      .limit(BATCH);
    for (const { id } of due) {
      const mail = await claim(id);
      if (!mail) continue;
      try {
        // The id of the message is the cause's row: should we die before noting that it left, the copy that
        // follows is known to mail programs as the same message.
        await transport.sendMail({
          from,
          to: mail.recipient,
          subject: mail.subject,
          text: mail.body ?? '',
          messageId: `<${mail.id}@cellar-door>`,
        });
        await db
          .update(outbox_email)
          .set({ sent_at: now(), body: null, ...(mail.user_id ? {} : { recipient: '' }) })
          .where(eq(outbox_email.id, id));
        outcome.sent += 1;
      } catch (error) {
        outcome.failed += 1;
        log.warn(
          { mail: id, attempts: mail.attempts, reason: (error as { code?: string }).code },
          'mail not sent',
        );
      }
    }
    return outcome;
  }

  /** Takes one mail for this process by moving its next attempt ahead; null when another one was faster. */
  async function claim(id: string) {
    return db.transaction(async (tx) => {
      const [mail] = await tx
        .select()
        .from(outbox_email)
        .where(
          and(
            eq(outbox_email.id, id),
            isNull(outbox_email.sent_at),
            lte(outbox_email.next_attempt_at, now()),
          ),
        )
        .for('update', { skipLocked: true });
      if (!mail) return null;
      const attempts = mail.attempts + 1;
      const next_attempt_at = new Date(now().getTime() + retryAfter(attempts));
      await tx.update(outbox_email).set({ attempts, next_attempt_at }).where(eq(outbox_email.id, id));
      return { ...mail, attempts };
    });
  }

  return {
    async post(tx, cause, { user_id, email }, { subject, body }) {
      const at = now();
      await tx
        .insert(outbox_email)
        .values({
          id: newId(),
          cause,
          user_id,
          recipient: email,
          subject,
          body,
          created_at: at,
          next_attempt_at: at,
        })
        .onConflictDoNothing({ target: outbox_email.cause });
    },
    deliver() {
      running ??= sendDue().finally(() => {
        running = null;
      });
      return running;
    },
  };
}
