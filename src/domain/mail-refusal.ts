/** A mail server's answer to one email. */
export interface MailAnswer {
  /** The SMTP command that it answers, such as 'RCPT TO'. */
  command: string;
  responseCode: number;
  /** All lines, beginning with the codes. */
  response: string;
}

/** RFC 3463: subject and detail after the class. */
const ENHANCED_CODE = /^5\d\d[ -]5\.(\d{1,3}\.\d{1,3})\b/;
/** No such address, domain or route to it; a disabled mailbox; a message too large or of a wrong form. */
const ABOUT_EMAIL = /^(?:1\.(?:1|2|3|4|6|10)|2\.[13]|3\.4|4\.(?:1|4|310)|6\.\d+)$/;
/**
 * The sender's address, limits, identity or network; a full mailbox, which empties; a failing system. Under policy (7), 0 and
 * 1 stand for anything, and 120 to 139 for who may write to a recipient.
 */
const ABOUT_SENDER = /^(?:1\.(?:7|8|90)|2\.[02]|3\.[0-35]|4\.(?!(?:1|4|310)$)\d+|7\.(?![01]$|1[23]\d$)\d+)$/;
/** Words of servers that may take the same email later, with any code or none. */
const PASSES = /again later|later time|temporar|gr[ae]y.?list|at a rate|too quickly/i;
/** What servers write with any code, or none, when the trouble is the sender's and can be mended. */
const SENDER_WORDS = [
  String.raw`relay(?! recipient)|authenticat|sender|verif|\b(?:spf|dkim|dmarc|ptr|helo|ehlo|rbl|dnsbl)\b|reverse dns`,
  String.raw`quota|limit|exceed|too (?:many|much|fast)|\brate\b|throttl|sending (?:is )?(?:suspended|paused|disabled)`,
  String.raw`block(?:ed|list| list| for)|black ?list|\blisted\b|spamhaus|reputation|banned|client host`,
  String.raw`your (?:ip|network|server|host|domain|(?:\w+ )?account)\b|sandbox|not yet activated|pending approval`,
  String.raw`spoof|\b(?:ip|domain|header) based|local policy|policy (?:restrictions|reasons)`,
];
const SENDER = new RegExp(SENDER_WORDS.join('|'), 'i');
/** Codes at the start of further lines, between words of a sentence. */
const LINE_START = /\r?\n\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3} )?/g;
/** An address that the answer repeats: its words say nothing. */
const ADDRESS = /[^\s<>()[\]:;,"'@]{1,64}@[^\s<>()[\]:;,"'@]{1,254}/g;

/**
 * Whether an answer about the recipient or the content is final (RFC 5321, 4.2.1: a client should not repeat it). One about
 * the sender is for the operator to set up, or passes, and says nothing about the address.
 */
export function isFinalRefusal({ command, responseCode, response }: MailAnswer): boolean {
  if (command !== 'RCPT TO' && command !== 'DATA') return false;
  if (responseCode < 500 || responseCode === 552) return false;
  const code = ENHANCED_CODE.exec(response)?.[1] ?? '';
  const text = response.replaceAll(LINE_START, ' ').replaceAll(ADDRESS, '');
  if (PASSES.test(text)) return false;
  return ABOUT_EMAIL.test(code) || !(ABOUT_SENDER.test(code) || SENDER.test(text));
}
