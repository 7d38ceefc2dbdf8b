import { getHousehold } from '../membership/household/household.ts';
import * as invitations from '../membership/household/household-invitations.ts';
import { endSharing } from '../membership/household/seats.ts';
import * as guestGlasses from '../pours/guest-glasses.ts';
import { allow, everyone, os, verb } from './authorize.ts';

/** The calls by which members share their glasses, as rows of the router. */
export const sharingCalls = {
  households: {
    get: os.households.get.use(allow.household).handler(verb(getHousehold)),
    invite: os.households.invite.use(allow.share).handler(verb(invitations.inviteToHousehold)),
    withdrawInvitation: os.households.withdrawInvitation
      .use(allow.share)
      .handler(verb(invitations.withdrawHouseholdInvitation)),
    readInvitation: os.households.readInvitation
      .use(everyone)
      .handler(verb(invitations.readHouseholdInvitation)),
    acceptInvitation: os.households.acceptInvitation
      .use(allow.share)
      .handler(verb(invitations.acceptHouseholdInvitation)),
    end: os.households.end.use(allow.share).handler(verb(endSharing)),
  },
  guestGlasses: {
    list: os.guestGlasses.list.use(allow.household).handler(verb(guestGlasses.listGuestGlasses)),
    give: os.guestGlasses.give.use(allow.share).handler(verb(guestGlasses.giveGuestGlass)),
    withdraw: os.guestGlasses.withdraw.use(allow.share).handler(verb(guestGlasses.withdrawGuestGlass)),
    read: os.guestGlasses.read.use(everyone).handler(verb(guestGlasses.readGuestGlass)),
    stateAge: os.guestGlasses.stateAge.use(everyone).handler(verb(guestGlasses.stateGuestAge)),
  },
};
