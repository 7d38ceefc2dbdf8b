import { v7 } from 'uuid';
import { type Account, newAccount, newMemberOf, signedInStaff } from '../fixtures/accounts.ts';
import { applied, payAt } from '../fixtures/members.ts';
import type { Caller } from '../harness/caller.ts';
import { expect, test as withProduct } from '../harness/product.ts';

export { expect };

/** A person with an account, and their customer id. */
export interface Guest extends Account {
  customer_id: string;
}

export interface People {
  owner: Caller;
  /** An account without anything else. */
  newcomer(): Promise<Account>;
  /** Billed at the venue. */
  member(tier?: string): Promise<Guest>;
  /** Pays by card. */
  cardMember(): Promise<Guest>;
  /** With an unreviewed application. */
  applicant(): Promise<Account & { application: string }>;
}

interface Fixtures {
  /** Opens a page as that user, without the sign-in form. */
  open: (path: string, as?: Caller | { caller: Caller }) => Promise<void>;
  /** Waits for an email to a recipient and returns its first link to that page. */
  linkTo: (email: string, page: string) => Promise<string>;
}

/**
 * For the browser tests of forms: each has the tag '@form:' with the path of its form in src/web, fills only required
 * fields, leaves every default, submits, and checks the result (tests/rules/forms-tested.test.ts).
 */
export const test = withProduct.extend<Fixtures, { people: People }>({
  people: [
    async ({ product: { url } }, use) => {
      const owner = await signedInStaff(url);
      const idOf = async (caller: Caller) =>
        (await caller.must<{ customer: { id: string } }>('GET', '/api/customers/own')).customer.id;
      await use({
        owner,
        newcomer: () => newAccount(url),
        member: (tier) => newMemberOf(url, owner, tier),
        async applicant() {
          const account = await newAccount(url);
          return { ...account, application: await applied(account.caller) };
        },
        async cardMember() {
          const account = await newAccount(url);
          const applicationId = await applied(account.caller);
          const checkout = await account.caller.must<{ url: string }>(
            'POST',
            '/api/functions/create-checkout',
            {
              tierName: 'select',
              applicationId,
            },
          );
          await payAt(checkout.url);
          await account.caller.must('POST', '/api/functions/verify-subscription-status', {});
          return { ...account, customer_id: await idOf(account.caller) };
        },
      });
    },
    { scope: 'worker' },
  ],
  open: async ({ page, context, product, people }, use) => {
    await use(async (path, as = people.owner) => {
      const { jar } = 'caller' in as ? as.caller : as;
      const { url } = product;
      await context.addCookies([...jar].map(([name, value]) => ({ name, value, url })));
      await page.goto(url + path);
    });
  },
  linkTo: async ({ product }, use) => {
    await use(async (email, page) => {
      let link: string | undefined;
      await expect(async () => {
        const answer = await fetch(
          `${product.sandboxUrl}/mailbox/api/messages?to=${encodeURIComponent(email)}`,
        );
        const { messages } = (await answer.json()) as { messages: { text: string }[] };
        link = messages.map(({ text }) => new RegExp(`http\\S+${page}\\S*`).exec(text)?.[0]).find(Boolean);
        expect(link).toBeDefined();
      }).toPass({ intervals: [50, 100, 200, 500] });
      return link ?? '';
    });
  },
});

/** A gift bought over the API: printed, or by email a week ahead. */
export async function boughtGift(caller: Caller, delivery: 'card' | 'email'): Promise<string> {
  const id = v7();
  const send_on = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const draft = { tier: 'select', months: 3, from_name: 'Anna', to_name: 'Ben', request_id: id, delivery };
  const byEmail = delivery === 'email' ? { recipient_email: 'ben@friends.test', send_on } : {};
  const order = async (consent_version: string) =>
    caller.call<{ url: string; data?: { current: { version: string } } }>('POST', '/api/gifts', {
      ...draft,
      ...byEmail,
      consent_version,
    });
  // The refusal names the version of the text shown.
  const refused = await order('0'.repeat(16));
  const { body } = await order(refused.body.data?.current.version ?? '');
  await payAt(body.url);
  await caller.must('POST', `/api/gifts/${id}/check`, {});
  return id;
}
