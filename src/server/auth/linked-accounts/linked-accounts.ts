import type { z } from 'zod';
import type { authorizeLinkInput, LinkedAccount } from '../../../contract/auth/linked-accounts.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { and, eq, ne } from '../../db/orm.ts';
import { accounts } from '../../db/schema.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthContext } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { callLibrary, type LibraryContext } from '../library-call.ts';
import { passwordOf, reauthenticate } from '../password/reauthenticate.ts';

export async function listLinkedAccounts({ db, actor, providers }: AuthContext): Promise<LinkedAccount[]> {
  const rows = await db
    .select({ id: accounts.id, provider: accounts.providerId, linked_at: accounts.createdAt })
    .from(accounts)
    .where(and(eq(accounts.userId, actor.user_id), ne(accounts.providerId, 'credential')));
  const offers = providers.map(({ id, label }) => ({ provider: id, label }));
  const rest = rows.filter(({ provider }) => !providers.some(({ id }) => id === provider));
  return [...offers, ...rest.map(({ provider }) => ({ provider, label: provider }))].map((it) => {
    const row = rows.find(({ provider }) => provider === it.provider);
    return { ...it, id: row?.id ?? null, linked_at: row?.linked_at.toISOString() ?? null };
  });
}

/**
 * The URL where the browser goes to link an account: docs/rules/accounts.md, "Linked accounts". The provider sends the user
 * back to a browser, which must have the cookies of the one that began, so no app gets here. Throws what passwordOf and
 * reauthenticate throw, and Refusal ALREADY_LINKED, PROVIDER_NOT_FOUND, PROVIDER_UNREACHABLE.
 */
export async function authorizeLink(
  ctx: AuthContext & LibraryContext,
  { query: { provider, return_to } }: z.output<typeof authorizeLinkInput>,
): Promise<{ url: string }> {
  const { db, actor } = ctx;
  const { url } = await callLibrary(ctx, '/link-social', {
    body: {
      provider,
      callbackURL: `${return_to}?${new URLSearchParams({ linked: provider })}`,
      errorCallbackURL: return_to,
      disableRedirect: true,
    },
    async requires() {
      await reauthenticate(ctx, actor.user_id, passwordOf(ctx.headers));
      const filter = and(eq(accounts.userId, actor.user_id), eq(accounts.providerId, provider));
      const [account] = await db.select({ id: accounts.id }).from(accounts).where(filter);
      if (account) throw new Refusal('ALREADY_LINKED');
    },
  });
  return { url: String(url) };
}

/**
 * Unlinks an account of the actor, and emails them. Requires the password, so a linked account is never the last way to
 * sign in. Throws Refusal NOT_FOUND when it is not linked, and what passwordOf and reauthenticate throw.
 */
export async function unlinkAccount(
  ctx: AuthContext & Pick<LibraryContext, 'headers'>,
  { id, password }: { id: string; password?: string | undefined },
): Promise<{ unlinked: string }> {
  const { db, actor, providers, newId } = ctx;
  const filter = and(
    eq(accounts.userId, actor.user_id),
    eq(accounts.id, id),
    ne(accounts.providerId, 'credential'),
  );
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(filter);
  if (!account) throw new Refusal('NOT_FOUND', { what: 'identity' });
  await reauthenticate(ctx, actor.user_id, passwordOf(ctx.headers, password));
  return db.transaction(async (tx) => {
    const [row] = await tx.delete(accounts).where(filter).returning({ provider: accounts.providerId });
    if (!row) throw new Refusal('NOT_FOUND', { what: 'identity' });
    const { provider } = row;
    const label = providers.find((it) => it.id === provider)?.label ?? provider;
    await sendEmail(ctx, tx, {
      user_id: actor.user_id,
      cause: `identity-unlinked:${newId()}`,
      email: authEmails.account_unlinked.about({ provider: label }),
    });
    return { unlinked: provider };
  });
}
