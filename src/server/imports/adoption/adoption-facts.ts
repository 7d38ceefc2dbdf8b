import { email } from '../../../contract/forms/credentials.ts';
import { personName } from '../../../contract/forms/person.ts';
import { isProven } from '../../../domain/account-proof.ts';
import type { AdoptionFacts, FoundSubscription, KnownAccount } from '../../../domain/imports/adoption.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { Tx } from '../../db/client.ts';
import { inArray, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { billing_customer, profiles, tier_definitions } from '../../db/schema.ts';
import { onRecord } from '../../membership/on-record.ts';
import type { ImportRecord, ImportWorker } from '../import-context.ts';

type SharedFacts = Omit<AdoptionFacts, 'account' | 'owner' | 'others'>;

export async function sharedFacts(
  { now, currency }: Pick<ImportWorker, 'now' | 'currency'>,
  tx: Tx,
  { prices }: Pick<ImportRecord, 'prices'>,
): Promise<SharedFacts> {
  const tiers = new Map((await tx.select().from(tier_definitions)).map((it) => [it.tier_name, it]));
  return {
    now: now(),
    currency,
    isEmail: (text) => email.safeParse(text).data === text,
    isName: (text) => personName.safeParse(text).success,
    tierOfPrice: new Map(
      (prices ?? []).flatMap(({ price, tier }) => {
        const row = tiers.get(tier ?? '');
        return row ? [[price, { tier: row.tier_name, amount_cents: row.monthly_price_cents }] as const] : [];
      }),
    ),
  };
}

/** Each subscription's account, and the owner of its customer at Stripe. Locks the accounts. */
export async function whoseAre(
  { outbox }: Pick<ImportWorker, 'outbox'>,
  tx: Tx,
  subscriptions: FoundSubscription[],
): Promise<(it: FoundSubscription) => Pick<AdoptionFacts, 'account' | 'owner'>> {
  const accounts = await accountsOf(
    outbox.sends,
    tx,
    subscriptions.flatMap((it) => it.email ?? []),
  );
  const customers = subscriptions.map(({ customer }) => customer);
  const owners = customers.length
    ? await tx
        .select({ user_id: billing_customer.user_id, customer: billing_customer.stripe_customer_id })
        .from(billing_customer)
        .where(inArray(billing_customer.stripe_customer_id, customers))
    : [];
  const ownerOf = new Map(owners.map((it) => [it.customer, it.user_id]));
  const userIds = subscriptions.flatMap(({ user_id }) => (user_id && isUuid(user_id) ? [user_id] : []));
  const ownIds = new Set(
    userIds.length
      ? (await tx.select({ id: profiles.id }).from(profiles).where(inArray(profiles.id, userIds))).map(
          ({ id }) => id,
        )
      : [],
  );
  return ({ email: address, customer, user_id }) => {
    const account = accounts.get(address ?? '') ?? null;
    // A Stripe customer that our database lost still names its account in its metadata.
    const formerOwner = user_id && ownIds.has(user_id) && user_id !== account?.user_id ? user_id : null;
    return { account, owner: ownerOf.get(customer) ?? formerOwner };
  };
}

interface Access {
  email: string;
  confirmed: boolean;
  has_access: boolean;
  on_record: boolean;
}

/** `sendsEmail`: whether the owner of an email can get a link to a new password. */
async function accountsOf(sendsEmail: boolean, tx: Tx, emails: string[]): Promise<Map<string, KnownAccount>> {
  if (emails.length === 0) return new Map();
  const rows = await rowsOf<Omit<KnownAccount, 'is_theirs' | 'loses_password'> & Access>(
    tx,
    sql`
    select p.id as user_id, p.email,
           exists (select 1 from user_roles r where r.user_id = p.id and r.role = 'staff') as is_staff,
           p.email_verified as confirmed,
           exists (select 1 from accounts a where a.user_id = p.id)
             or exists (select 1 from passkeys k where k.user_id = p.id)
             or exists (select 1 from sessions s where s.user_id = p.id) as has_access,
           ${onRecord(sql`p.id`)} as on_record,
           exists (select 1 from customers c join memberships m on m.customer_id = c.id and m.status = 'active'
                    where c.user_id = p.id and m.stripe_subscription_id is null) as billed_at_venue,
           exists (select 1 from customers c join household_seat h on h.customer_id = c.id and h.ended_at is null
                    where c.user_id = p.id) as is_partner,
           (select b.stripe_customer_id from billing_customer b where b.user_id = p.id) as stripe_customer
      from profiles p where p.email in ${emails} and p.erased_at is null
       for update of p`,
  );
  return new Map(
    rows.map(({ email: address, confirmed, has_access, on_record, ...account }) => {
      const loses_password = !isProven({ has_access, on_record });
      const is_theirs = !has_access || (confirmed && (sendsEmail || !loses_password));
      return [address, { ...account, is_theirs, loses_password }];
    }),
  );
}

/** Finds, for each row, the other rows of this import with the same customer or email. */
export async function othersOf(
  tx: Tx,
  { id }: Pick<ImportRecord, 'id'>,
  rows: number[],
): Promise<(row_no: number) => FoundSubscription[]> {
  if (rows.length === 0) return () => [];
  const lines = await rowsOf<{ row_no: number; found: FoundSubscription }>(
    tx,
    sql`
    select r.row_no, o.found
      from member_import_row r
      join member_import_row o on o.import_id = r.import_id and o.row_no <> r.row_no
       and (o.stripe_customer_id = r.stripe_customer_id or o.email = r.email)
     where r.import_id = ${id}::uuid and r.row_no in ${rows}`,
  );
  return (row_no) => lines.filter((it) => it.row_no === row_no).map((it) => it.found);
}
