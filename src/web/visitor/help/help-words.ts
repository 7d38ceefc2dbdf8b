/**
 * Words that owners, staff and members use for the same thing, a group a line. A typed word finds what says any word of its
 * groups. Each stands for its other endings too: 'refund' for 'refunded' and 'refunds'.
 */
export const SAME_MEANING: readonly (readonly string[])[] = [
  ['skip', 'pause', 'break', 'freeze', 'suspend', 'vacation', 'holiday', 'away', 'travel'],
  ['closed', 'closing', 'close', 'shut', 'august', 'renovation', 'vacation', 'holiday'],
  ['cancel', 'end', 'leave', 'quit', 'stop', 'terminate', 'unsubscribe', 'resign'],
  ['stolen', 'lost', 'lose', 'missing', 'theft', 'gone', 'thief'],
  ['phone', 'iphone', 'android', 'mobile', 'cell'],
  ['receipt', 'invoice', 'bill', 'statement'],
  ['print', 'pdf', 'paper'],
  ['newsletter', 'mailing', 'marketing', 'campaign', 'promotion', 'mailchimp'],
  ['email', 'mail', 'message', 'spam'],
  ['money', 'cash', 'payment', 'paid', 'pay', 'charge', 'amount'],
  ['refund', 'reimburse', 'chargeback', 'moneyback'],
  ['dispute', 'chargeback', 'fraud'],
  ['twice', 'double', 'duplicate'],
  ['duplicate', 'merge', 'combine', 'twin'],
  ['owe', 'owes', 'unpaid', 'overdue', 'due', 'dues', 'debt', 'late', 'arrears', 'outstanding'],
  ['failed', 'declined', 'decline', 'bounced', 'expired', 'rejected'],
  ['venue', 'till', 'register', 'pos', 'cash', 'bar'],
  ['location', 'branch', 'venue', 'place', 'room', 'site', 'second'],
  ['staff', 'employee', 'bartender', 'team', 'waiter', 'server', 'colleague', 'hire'],
  ['fired', 'fire', 'dismiss', 'leaves'],
  ['delete', 'erase', 'remove', 'gdpr', 'forget', 'died', 'death', 'dead', 'deceased'],
  ['password', 'login', 'log', 'sign', 'locked', 'access'],
  ['2fa', 'two-step', 'authenticator', 'mfa', 'otp'],
  ['price', 'cost', 'fee', 'increase', 'raise', 'expensive'],
  ['tier', 'plan', 'level', 'package', 'membership', 'subscription'],
  ['upgrade', 'more', 'larger', 'dearer', 'bigger', 'change'],
  ['downgrade', 'less', 'cheaper', 'smaller', 'change'],
  ['pour', 'glass', 'drink', 'tasting'],
  ['unused', 'left', 'rollover', 'roll', 'carry', 'remaining', 'leftover'],
  ['guest', 'friend', 'visitor', 'companion'],
  ['partner', 'wife', 'husband', 'spouse', 'couple', 'household', 'share', 'sharing', 'two'],
  ['gift', 'present', 'voucher', 'give'],
  ['offline', 'network', 'internet', 'wifi', 'connection', 'outage'],
  ['scan', 'scanner', 'camera', 'qr', 'code'],
  ['export', 'download', 'csv', 'excel', 'spreadsheet', 'file', 'accountant', 'bookkeeper'],
  ['tax', 'vat', 'accountant', 'bookkeeper'],
  ['import', 'move', 'migrate', 'switch', 'transfer', 'upload'],
  ['tablet', 'ipad'],
  ['birthday', 'anniversary', 'celebrate'],
  ['allergy', 'allergies', 'gluten', 'nuts'],
  ['drunk', 'intoxicated', 'enough', 'much'],
  ['mistake', 'wrong', 'undo', 'error', 'accident', 'correct'],
  ['logo', 'color', 'brand', 'design', 'theme'],
  ['website', 'page', 'homepage', 'web'],
  ['backup', 'copy', 'restore'],
  ['broken', 'down', 'crash', 'slow'],
  ['churn', 'lost', 'leaving', 'inactive', 'risk', 'absent'],
  ['join', 'signup', 'register', 'apply', 'enroll', 'new'],
  ['photo', 'picture', 'image', 'face'],
  ['terms', 'privacy', 'legal', 'law', 'imprint', 'policy'],
  ['sales', 'revenue', 'income', 'turnover', 'earn', 'profit', 'money'],
  ['system', 'program', 'software', 'tool'],
];

/** Words of a question that say nothing about its subject. */
export const LITTLE_WORDS: ReadonlySet<string> = new Set(
  `a about an and any are as at be by can could did do does for from get got has have how i if in into is it its me my of on or
   our please so that the their them there they this to want wants was we what when where which who why will with would you your next
   not no don’t doesn’t isn’t work works working problem much many too old their own
   someone somebody member members customer customers club app need make`.split(/\s+/),
);
