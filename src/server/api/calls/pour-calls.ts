import { getHousehold } from '../../membership/household/household.ts';
import {
  acceptHouseholdInvitation,
  inviteToHousehold,
  readHouseholdInvitation,
  withdrawHouseholdInvitation,
} from '../../membership/household/household-invitations.ts';
import { endSharing } from '../../membership/household/seats.ts';
import { takeBenefit, voidBenefitUse } from '../../pours/benefits.ts';
import { giveGlasses } from '../../pours/given-glasses.ts';
import * as guestGlasses from '../../pours/guest-glasses.ts';
import { listCustomerPours, listOwnPours, listRolledOver } from '../../pours/pour-lists.ts';
import * as pours from '../../pours/pours.ts';
import { listVisitMonths } from '../../pours/visits.ts';
import type { Calls } from '../call.ts';

export const pourCalls = {
  'pours.listMonths': { policy: 'member', limit: 'read', scope: 'own:read', verb: listVisitMonths },
  'pours.list': { policy: 'member', limit: 'read', scope: 'own:read', verb: listOwnPours },
  'pours.listRolledOver': { policy: 'member', limit: 'read', scope: 'own:read', verb: listRolledOver },
  'pours.listForCustomer': { policy: 'bar', limit: 'read', scope: 'pours:read', verb: listCustomerPours },
  'pours.record': { policy: 'pour', limit: 'bar', scope: 'pours:write', verb: pours.recordPour },
  'pours.void': { policy: 'bar', limit: 'bar', scope: 'pours:write', verb: pours.voidPour },

  'benefits.take': { policy: 'bar', limit: 'bar', scope: 'pours:write', verb: takeBenefit },
  'benefits.void': { policy: 'bar', limit: 'bar', scope: 'pours:write', verb: voidBenefitUse },

  'glasses.give': { policy: 'manageMembers', limit: 'write', verb: giveGlasses },

  'households.get': { policy: 'household', limit: 'read', verb: getHousehold },
  'households.invite': { policy: 'household', limit: 'account', verb: inviteToHousehold },
  'households.withdrawInvitation': { policy: 'household', limit: 'write', verb: withdrawHouseholdInvitation },
  'households.readInvitation': { policy: 'everyone', limit: 'visitor', verb: readHouseholdInvitation },
  'households.acceptInvitation': { policy: 'household', limit: 'account', verb: acceptHouseholdInvitation },
  'households.end': { policy: 'household', limit: 'write', verb: endSharing },

  'guestGlasses.list': { policy: 'household', limit: 'read', verb: guestGlasses.listGuestGlasses },
  'guestGlasses.give': { policy: 'household', limit: 'account', verb: guestGlasses.giveGuestGlass },
  'guestGlasses.renewLink': { policy: 'household', limit: 'account', verb: guestGlasses.renewGuestGlassLink },
  'guestGlasses.withdraw': { policy: 'household', limit: 'write', verb: guestGlasses.withdrawGuestGlass },
  'guestGlasses.read': { policy: 'everyone', limit: 'visitor', verb: guestGlasses.readGuestGlass },
  'guestGlasses.stateAge': { policy: 'everyone', limit: 'visitor', verb: guestGlasses.stateGuestAge },

  'functions.getAvailablePours': {
    policy: 'signedIn',
    limit: 'bar',
    scope: 'cards:read',
    verb: pours.getAvailablePours,
  },
} satisfies Partial<Calls>;
