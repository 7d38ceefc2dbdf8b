import { and, asc, eq, isNull, like, lte } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Logger } from 'pino';
import type { Db, Tx } from '../db/client.ts';
import { outbox_email } from '../db/schema.ts';
import { mayEmailUnconfirmed } from './address-limits.ts';
import type { Email } from './email.ts';
import { isDue, LAST_RETRY_MS, retryAfter } from './retry.ts';

export interface OutboxDeps {
  db: Db;
  now(): Date;
  newId(): string;
  log: Logger;
  /** smtp:// or smtps:// with its credentials; null keeps email in the database and sends none. */
  smtpUrl: string | null;
  /** 'Name <email>', or both; asked for each email, as the club's name may change. */
  from(): string | { name: string; address: string };
}

interface Recipient {
  /** Null for someone without an account: their address is deleted once the email was sent, or after a week. */
  user_id: string | null;
  email: string;
  /** True where nobody has confirmed the email, and the email is not about their money: three a day are sent. */
  limited?: boolean;
  /** How long it waits before it is sent, so that what happens meanwhile can withdraw it. */
  delayMs?: number;
}

interface Delivery {
  sent: number;
  failed: number;
}

/** The one way to send email: stored in the transaction of its cause, sent after the commit, once per cause. */
export interface Outbox {
  /** False where no mail server is set up. */
  sends: boolean;
  /**
   * Stores an email in the caller's transaction. A cause that was used before stores nothing; nor does a limited
   * recipient who has had enough, and nobody is told.
   */
  enqueue(tx: Db | Tx, cause: string, to: Recipient, email: Email): Promise<void>;
  /** Deletes what a user was not sent yet of a cause, in the caller's transaction; `like` is a pattern of causes. */
  withdraw(tx: Db | Tx, of: { user_id: string; like: string }): Promise<void>;
  /** Sends what is due, oldest first. Failures are retried at growing intervals. */
  deliver(): Promise<Delivery>;
}

const BATCH = 20;
const TIMEOUT_MS = 10_000;
/** How long the address of someone without an account is kept while an email cannot be sent. */
const WITHOUT_ACCOUNT_MS = 7 * 24 * 3_600_000;

/** The emails whose subject can name someone other than their reader, by cause: of these, no subject stays. */
const NAMES_OTHERS = /^(gift|household-invitation|partner-joined|sharing-ended|staff-invitation):|:partner$/;

type Transport = ReturnType<typeof createTransport>;

/** Stores and sends email: docs/rules/api.md, "Other limits". */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { smtpUrl, now, newId } = deps;
  const transport = smtpUrl
    ? createTransport({ url: smtpUrl, connectionTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS })
    : null;
  let running: Promise<Delivery> | null = null;
  return {
    sends: smtpUrl !== null,
    async enqueue(tx, cause, { user_id, email: recipient, limited, delayMs = 0 }, { subject, text, html }) {
      if (limited && !(await mayEmailUnconfirmed(deps, tx, recipient))) return;
      const at = now();
      await tx
        .insert(outbox_email)
        .values({
          id: newId(),
          cause,
          user_id,
          recipient,
          subject,
          body: text,
          html,
          created_at: at,
          next_attempt_at: new Date(at.getTime() + delayMs),
        })
        .onConflictDoNothing({ target: outbox_email.cause });
    },
    async withdraw(tx, { user_id, like: pattern }) {
      const unsent = and(eq(outbox_email.user_id, user_id), isNull(outbox_email.sent_at));
      await tx.delete(outbox_email).where(and(unsent, like(outbox_email.cause, pattern)));
    },
    deliver() {
      running ??= sendDue(deps, transport).finally(() => {
        running = null;
      });
      return running;
    },
  };
}

async function sendDue(deps: OutboxDeps, transport: Transport | null): Promise<Delivery> {
  const { db, now } = deps;
  const delivery = { sent: 0, failed: 0 };
  await deleteStale(deps);
  if (!transport) return delivery;
  const due = await db
    .select({ id: outbox_email.id })
    .from(outbox_email)
    .where(isDue(outbox_email, now(), LAST_RETRY_MS))
    .orderBy(asc(outbox_email.next_attempt_at), asc(outbox_email.id))
    .limit(BATCH);
  for (const { id } of due) {
    const email = await claim(deps, id);
    if (email) delivery[(await send(deps, transport, email)) ? 'sent' : 'failed'] += 1;
  }
  return delivery;
}

/** Deletes old unsent email to people without an account, so that their address is not kept. */
async function deleteStale({ db, now }: OutboxDeps): Promise<void> {
  const stale = new Date(now().getTime() - WITHOUT_ACCOUNT_MS);
  await db
    .delete(outbox_email)
    .where(
      and(isNull(outbox_email.user_id), isNull(outbox_email.sent_at), lte(outbox_email.created_at, stale)),
    );
}

/** Claims an email for this process by postponing its next attempt; null when another process was faster. */
async function claim({ db, now }: OutboxDeps, id: string) {
  return db.transaction(async (tx) => {
    const isStillDue = and(eq(outbox_email.id, id), isDue(outbox_email, now(), LAST_RETRY_MS));
    const [email] = await tx
      .select()
      .from(outbox_email)
      .where(isStillDue)
      .for('update', { skipLocked: true });
    if (!email) return null;
    const attempts = email.attempts + 1;
    const next_attempt_at = new Date(now().getTime() + retryAfter(attempts));
    await tx.update(outbox_email).set({ attempts, next_attempt_at }).where(eq(outbox_email.id, id));
    return { ...email, attempts };
  });
}

/** False when the mail server did not take the email; the reason is logged. */
async function send(
  { db, now, log, from }: OutboxDeps,
  transport: Transport,
  { id, cause, user_id, recipient, subject, body, html, attempts }: typeof outbox_email.$inferSelect,
): Promise<boolean> {
  try {
    // The message id is the row's id: if this process dies before it records the sending, mail programs recognize
    // the second copy as the same message.
    const messageId = `<${id}@cellar-door>`;
    await transport.sendMail({
      from: from(),
      to: recipient,
      subject,
      text: body ?? '',
      // Written before emails had one, by an earlier release.
      ...(html === null ? {} : { html }),
      messageId,
      // Nobody's out-of-office notice answers it.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    await db
      .update(outbox_email)
      .set({
        sent_at: now(),
        body: null,
        html: null,
        ...(user_id ? {} : { recipient: '' }),
        ...(user_id && !NAMES_OTHERS.test(cause) ? {} : { subject: '' }),
      })
      .where(eq(outbox_email.id, id));
    return true;
  } catch (error) {
    log.warn({ outbox_id: id, attempts, reason: (error as { code?: string }).code }, 'email not sent');
    return false;
  }
}
