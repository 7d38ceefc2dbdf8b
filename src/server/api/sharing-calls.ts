import { getHousehold } from '../membership/household/household.ts';
import * as invitations from '../membership/household/household-invitations.ts';
import { endSharing } from '../membership/household/seats.ts';
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
};
