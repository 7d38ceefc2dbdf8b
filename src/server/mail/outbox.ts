import { createTransport } from 'nodemailer';
import type { SMTPError } from 'nodemailer/lib/smtp-connection';
import type { Logger } from 'pino';
import { isFinalRefusal } from '../../domain/mail-refusal.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, eq, isNull, like } from '../db/orm.ts';
import { deliveries } from '../db/schema.ts';
import { type Claimed, DOUBLING_SECONDS, enqueue, type Sender } from '../deliveries/deliveries.ts';
import { mayEmailUnconfirmed } from './address-limits.ts';
import type { Email } from './email.ts';

interface Recipient {
  /** Null for someone without an account: their address is deleted once the email is sent, or after a week. */
  user_id: string | null;
  email: string;
  /** True if the email is unconfirmed and this one is not about money: only three a day are sent. */
  limited?: boolean;
  /** How long it can be withdrawn before it is sent. */
  delayMs?: number;
}

/** Sends all email: stored in the transaction of its cause, sent after the commit, once per cause. */
export interface Outbox {
  /** False if no mail server is set up. */
  sends: boolean;
  /** Stores nothing for a cause that was used before, or for a limited recipient who has had enough. */
  enqueue(tx: Db | Tx, cause: string, to: Recipient, email: Email): Promise<void>;
  /** Deletes a user's unsent emails, in the caller's transaction; `like` is a pattern of causes. */
  withdraw(tx: Db | Tx, of: { user_id: string; like: string }): Promise<void>;
}

/** Emails whose subject can name someone other than their reader, by cause. Their subject is deleted with their text. */
const NAMES_OTHERS = /^(gift|household-invitation|partner-joined|sharing-ended|staff-invitation):|:partner$/;

interface OutboxDeps {
  now(): Date;
  newId(): string;
  sends: boolean;
}

/** Stores email: docs/rules/api.md, "Other limits". */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { sends, now, newId } = deps;
  return {
    sends,
    async enqueue(tx, cause, { user_id, email: recipient, limited, delayMs = 0 }, email) {
      if (limited && !(await mayEmailUnconfirmed(deps, tx, recipient))) return;
      const created_at = now();
      const due_at = new Date(created_at.getTime() + delayMs);
      const subject = user_id && !NAMES_OTHERS.test(cause) ? email.subject : null;
      const row = {
        id: newId(),
        kind: 'email' as const,
        cause,
        user_id,
        recipient,
        subject,
        created_at,
        due_at,
      };
      await enqueue(tx, [{ ...row, payload: email }]);
    },
    async withdraw(tx, { user_id, like: pattern }) {
      const filter = and(
        eq(deliveries.user_id, user_id),
        eq(deliveries.kind, 'email'),
        isNull(deliveries.outcome),
      );
      await tx.delete(deliveries).where(and(filter, like(deliveries.cause, pattern)));
    },
  };
}

const TIMEOUT_MS = 10_000;

interface EmailSenderDeps {
  log: Logger;
  /** smtp:// or smtps:// with its credentials. */
  smtpUrl: string;
  /** 'Name <email>', or both; called for each email, as the club's name may change. */
  from(): string | { name: string; address: string };
  /** Where answers go. */
  replyTo(): string;
  /** The club's own host, for the greeting and the message's id. */
  host: string;
  /** Called for an email whose address or content its server will never take, before it is given up. */
  onRefused(row: Claimed): Promise<void>;
}

/** Sends email by SMTP: docs/rules/api.md, "Other limits". */
export function emailSender({ log, smtpUrl, from, replyTo, host, onRefused }: EmailSenderDeps): Sender {
  const transport = createTransport({
    url: smtpUrl,
    name: host,
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    retrySeconds: DOUBLING_SECONDS,
    longestWaitMs: 6 * 3_600_000,
    batch: 20,
    async send(row) {
      const { id, recipient, payload, attempts } = row;
      const email = payload as Email;
      try {
        await transport.sendMail({
          from: from(),
          to: recipient ?? '',
          replyTo: replyTo(),
          ...email,
          // If this process dies before it records the sending, mail programs recognize the second copy.
          messageId: `<${id}@${host}>`,
          // No out-of-office notice answers it.
          headers: { ...email.headers, 'Auto-Submitted': 'auto-generated' },
        });
        return 'sent';
      } catch (error) {
        const { code, command = '', responseCode = 0, response = '' } = error as Partial<SMTPError>;
        log.warn({ delivery_id: id, attempts, reason: code, responseCode }, 'email not sent');
        if (!isFinalRefusal({ command, responseCode, response })) return 'failed';
        await onRefused(row);
        return { givenUp: `refused: ${responseCode}` };
      }
    },
  };
}
