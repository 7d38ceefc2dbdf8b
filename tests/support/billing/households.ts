import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { householdConsent } from '../../../src/domain/consent.ts';
import type { Ctx } from '../../../src/server/context.ts';
import { guest_glass, profiles } from '../../../src/server/db/schema.ts';
import {
  acceptHouseholdInvitation,
  inviteToHousehold,
} from '../../../src/server/membership/household/household-invitations.ts';
import { endSharing } from '../../../src/server/membership/household/seats.ts';
import {
  giveGuestGlass,
  stateGuestAge,
  withdrawGuestGlass,
} from '../../../src/server/pours/guest-glasses.ts';
import type { Venue } from './venue.ts';

/** Acts of members who share glasses, for a venue without the app. Each throws the refusal of its verb. */
export interface Households {
  /** A user with a confirmed email and no application. */
  person(): Promise<string>;
  /** The first invites, and the second accepts. */
  share(holder: string, partner: string): Promise<void>;
  /** Ends sharing, by the holder or the partner. */
  end(user: string): Promise<void>;
  /** A guest glass with a stated age. Returns its id. */
  give(user: string): Promise<string>;
  takeBack(user: string, glass: string): Promise<void>;
}

export function openHouseholds({ db, deps, outbox }: Venue): Households {
  const as = (user_id: string) => {
    const newSecret = () => v7().padEnd(43, 'x');
    return { ...deps, db, outbox, newSecret, actor: { user_id, role: 'customer' } } as unknown as Ctx;
  };
  const consent_version = householdConsent(deps.venue)?.version;
  const tokenOf = (url: string | null) => url?.split('#')[1] ?? '';
  return {
    async person() {
      const id = v7();
      const names = { name: 'Ben Guest', first_name: 'Ben', last_name: 'Guest' };
      await db.insert(profiles).values({ id, email: `${id}@example.test`, emailVerified: true, ...names });
      return id;
    },
    async share(holder, partner) {
      const { url } = await inviteToHousehold(as(holder), {});
      await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, partner));
      await acceptHouseholdInvitation(as(partner), { token: tokenOf(url), consent_version });
    },
    async end(user) {
      await endSharing(as(user));
    },
    async give(user) {
      const { id, url } = await giveGuestGlass(as(user));
      await stateGuestAge(as(user), { token: tokenOf(url), age: deps.venue.minimum_age });
      return id;
    },
    async takeBack(user, id) {
      await withdrawGuestGlass(as(user), { id });
    },
  };
}

/** Guest glasses neither poured nor withdrawn, oldest first. */
export const waitingGlasses = async ({ db }: Venue) =>
  (await db.select().from(guest_glass).orderBy(guest_glass.id)).filter(
    ({ pour_id, withdrawn_at }) => !pour_id && !withdrawn_at,
  );
