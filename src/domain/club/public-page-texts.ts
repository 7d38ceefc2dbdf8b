import type { Payments } from '../billing.ts';
import { RETENTION_NOTICE_DAYS } from '../retention.ts';
import type { ClubSettings } from './club-settings.ts';
import type { LegalPage, PageText } from './public-pages.ts';

type Club = Pick<
  ClubSettings,
  | 'club_name'
  | 'support_email'
  | 'minimum_age'
  | 'pause_months'
  | 'pause_months_a_year'
  | 'grace_days'
  | 'retention_months'
  | 'page_address'
>;

const years = (age: number) => `You must be ${age} or older to be a member.`;

function questions({ minimum_age, pause_months }: Club, payments: Payments): string {
  const pause =
    pause_months > 0
      ? ` If you need a break, you can pause for up to ${pause_months === 1 ? 'a month' : `${pause_months} months`}.`
      : '';
  const cancel =
    payments === 'off'
      ? 'Anytime, in your account or at the bar. You stay a member until the end of the month you paid for.'
      : `Anytime, in your account. You stay a member until the end of the month you paid for.${pause}`;
  const gift =
    payments === 'off'
      ? ''
      : '\n\n# Can I give a membership?\nYes. You pay once, and the gift ends on its own.';
  const age = minimum_age > 0 ? `\n\n# Is there a minimum age?\n${years(minimum_age)}` : '';
  return `# How does it work?
Your tier gives you a number of pours every month. At the bar, show the card on your phone and choose a wine. Your account always shows how many pours are left.

# Can I cancel?
${cancel}

# What happens to pours I don’t use?
They end with your month, unless your tier lets some of them roll over.

# Can I bring someone?
That depends on your tier: it can be for two people, or let you treat a guest to one of your pours. Each tier says what it includes.${gift}${age}`;
}

/** The default texts of the club's page. The address and the hours have none. */
const PAGE_DEFAULTS: Record<PageText, (club: Club, payments: Payments) => string> = {
  page_heading: () => 'Good wine, every month',
  page_words: ({ club_name }, payments) =>
    `Become a member of ${club_name} and come by for a glass whenever you like. You pay once a month${payments === 'off' ? ' at the bar, and your pours wait for you there' : ', and your pours wait for you at the bar'}.

Joining takes a few minutes: create an account, tell us what you like to drink, and choose a tier. Your membership card is on your phone.`,
  page_questions: questions,
  page_address: () => '',
  page_hours: () => '',
};

/** A text of the club's page: the venue's, or the default. */
export const pageText = (
  field: PageText,
  club: Club & Partial<Record<PageText, string | null>>,
  payments: Payments,
): string => club[field] ?? PAGE_DEFAULTS[field](club, payments);

export const defaultPageText = (field: PageText, club: Club, payments: Payments): string =>
  PAGE_DEFAULTS[field](club, payments);

function terms(club: Club): string {
  const { club_name, support_email, minimum_age, pause_months, pause_months_a_year, grace_days } = club;
  const age = minimum_age > 0 ? `${years(minimum_age)} We may ask for identification.\n\n` : '';
  const pause =
    pause_months > 0
      ? `\n\nYou can pause your membership for up to ${pause_months === 1 ? 'one month' : `${pause_months} months`} at a time, and for ${pause_months_a_year === 1 ? 'one month' : `${pause_months_a_year} months`} in any twelve. You are not charged and get no pours during a pause.`
      : '';
  return `These terms are between you and ${club_name}. They apply to your account and your membership.

# Membership
${age}A membership gives you the pours of your tier every month. The tier, its price and what it includes are shown before you join. A membership is personal. Tiers for two people are shared by the two people named in them.

# Payment and renewal
If you pay by card, your card is charged when you join and then every month until you cancel. If you pay at the venue, you pay us there. Before a new price applies to you, we tell you by email.

If a payment fails, we tell you and try again. You stay a member for ${grace_days} ${grace_days === 1 ? 'day' : 'days'} meanwhile. Then the membership ends.

# Canceling and pausing
You can cancel anytime in your account. You stay a member until the end of the month you paid for.${pause}

# Pours
Pours are used at our bar. Unused pours end with your month, unless your tier lets them roll over. They cannot be exchanged for money. We may refuse to pour for anyone who has had enough.

# Guests and gifts
You can treat a guest to a pour if your tier includes it. The guest must be old enough to drink. A membership given as a gift is paid once and ends on its own. The buyer can get a full refund until it is redeemed.

# Your account
Keep your password to yourself, and tell us if you think someone else uses your account. You can delete your account anytime. We can end a membership if these terms are broken.

# Contact
Email us at ${support_email}.`;
}

function privacy({ club_name, support_email, retention_months }: Club): string {
  const retention =
    retention_months > 0
      ? `# How long we keep it
We keep your data as long as you have an account. If you have had no membership and not signed in for ${retention_months} months, we email you. If you don’t sign in within ${RETENTION_NOTICE_DAYS} days, we delete your account.

`
      : '';
  return `${club_name} runs this website and is responsible for your data. Questions about it go to ${support_email}.

# Why we store data
We store what we need to run your membership: to sign you in, to take payments, to count your pours and to help you when something goes wrong. What you tell us about your taste helps us choose wines for you. We don’t sell data and we show no advertising.

# Who else receives it
If you pay by card, Stripe handles the payment. We never see your full card number. Our mail provider delivers our emails. If you add your card to Apple Wallet or Google Wallet, or turn on notifications, Apple, Google or the maker of your browser delivers them. If you sign in with another provider’s account, it learns that you signed in here. A language model may summarize your survey answers for our staff. Other systems of ours, such as the till, may be told about memberships and pours.

# Cookies
We set only cookies that the website needs: one that keeps you signed in, one that recognizes your device, and one for your choice of light or dark colors. There is no tracking.

${retention}# Your rights
In your account, under Your Data, you can download everything we store about you and delete your account. You can also ask us to correct what is wrong. If you are not satisfied with our answer, you can complain to your data protection authority.`;
}

const imprint = ({ club_name, support_email, page_address }: Club): string =>
  `This website is run by:

${[club_name, page_address].filter(Boolean).join('\n')}

# Contact
Email: ${support_email}`;

const accessibility = ({ club_name, support_email }: Club): string =>
  `${club_name} wants everyone to be able to use this website. It is built to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA.

# What that means
Every page works with a keyboard and with screen readers. Text and controls have enough contrast in light and dark colors, and text can be enlarged. Animations are turned off if your device asks for that. Nothing depends on color alone.

# Without a phone
You don’t need a phone at the bar. We can find you by name or email, and we can print a card for you.

# If something doesn’t work
Email us at ${support_email} and tell us which page it was. We will help you another way until it is fixed.`;

const LEGAL_DEFAULTS: Record<LegalPage, (club: Club) => string> = { terms, privacy, imprint, accessibility };

/** The default text of a legal page. A lawyer should read it before a venue relies on it. */
export const defaultLegalText = (page: LegalPage, club: Club): string => LEGAL_DEFAULTS[page](club);
