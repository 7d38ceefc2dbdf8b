import { describe, expect, test } from 'vitest';
import { isFinalRefusal } from '../../src/domain/mail-refusal.ts';

const answer = (response: string, command = 'RCPT TO') =>
  isFinalRefusal({ command, responseCode: Number(response.slice(0, 3)), response });

describe('a mail server’s refusal is final when it is about the address or the content', () => {
  test.each([
    '550 5.1.1 <guest@example.test>: user unknown',
    '550-5.1.1 The account does not exist.\n550 5.1.1 Check for typos',
    '550 5.1.1 <guest@example.test>: user unknown in relay recipient table',
    '550 user unknown in relay recipient table',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound',
    '550 5.2.1 The account is disabled',
    '550 5.4.1 Recipient address rejected: access denied',
    '550 5.4.4 Host not found',
    '550 5.5.0 Requested action not taken: mailbox unavailable',
    '550 5.7.129 Only some may write to this recipient',
    '550 No such user (no.limit@sender.test)',
    '550 No such person here',
    '550 Policy rejection on the target address',
    '554 5.6.0 The message has a wrong form',
    '554 5.7.1 The message holds a virus',
  ])('%s', (response) => {
    expect(answer(response)).toBe(true);
  });
});

describe('a mail server’s refusal is not final when it is about the sender, or passes', () => {
  test.each([
    '550 5.4.5 Daily user sending limit exceeded. - gsmtp',
    '550 5.1.90 The daily number of recipients is reached',
    '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException',
    '550 User me@club.test has exceeded its 24-hour sending limit',
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    '550 5.7.606 Access denied, this address is banned',
    '550-5.7.26 This mail has no proof of its origin',
    '550-5.7.25 The IP address has no PTR record',
    '554 Message rejected: Email address is not verified. These identities failed the check',
    '554 Sending suspended for this account',
    '550 Sandbox domains are for tests only',
    '550 5.7.0 Your SMTP account is not yet activated',
    '554 Access denied for the poor reputation of the server',
    '550 5.1.8 Access denied, bad outbound sender',
    '550 5.7.1 Relaying denied',
    '550 5.2.2 The mailbox is full',
    '552 The mailbox is full',
    '451 4.7.1 Greylisted, come back later',
    '550-Requested action not taken: mailbox unavailable\n550 Failure sending mail. Try again later.',
    '550 5.2.1 The user you are writing to gets mail at a rate that prevents more',
    '550-5.2.1 The user gets mail too\n550-5.2.1 quickly. Please resend at a later\n550 5.2.1 time. - gsmtp',
    '550 5.2.1 The mailbox is temporarily disabled',
    '554 5.7.1 Recipient address rejected: Greylisted for 300 seconds',
    '554-Too\r\n554 many recipients today',
    '550 Reject due to policy restrictions (IP based)',
    '554 Reject due to policy restrictions.',
    '550 5.7.1 [CS01] Message rejected due to local policy',
    '554 Message not allowed - [PH01] Email not accepted for policy reasons',
    '550 Rejected by an Anti-Spoofing policy',
    '554 mx.mail.test 192.0.2.1 Block for spam',
  ])('%s', (response) => {
    expect(answer(response)).toBe(false);
    expect(answer(response, 'DATA')).toBe(false);
  });

  test('nor when it answers another command', () => {
    expect(answer('550 5.1.1 user unknown', 'MAIL FROM')).toBe(false);
  });
});
