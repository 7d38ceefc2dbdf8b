import * as tierVerbs from '../../billing/acts/tier-verbs.ts';
import { getTierOnOffer } from '../../billing/joining.ts';
import { getTier, listTierNames, listTiers } from '../../membership/tiers.ts';
import type { Calls } from '../call.ts';

export const tierCalls = {
  'tiers.list': { policy: 'signedIn', limit: 'read', scope: 'tiers:read', verb: listTiers },
  'tiers.listNames': { policy: 'signedIn', limit: 'read', scope: 'tiers:read', verb: listTierNames },
  'tiers.get': { policy: 'signedIn', limit: 'read', scope: 'tiers:read', verb: getTier },
  'tiers.getOnOffer': { policy: 'everyone', limit: 'visitor', verb: getTierOnOffer },

  'tierSettings.list': {
    policy: 'staff',
    limit: 'read',
    scope: 'venue:read',
    verb: tierVerbs.listTiersForStaff,
  },
  'tierSettings.add': { policy: 'manageMoney', limit: 'write', verb: tierVerbs.addTierByStaff },
  'tierSettings.update': { policy: 'manageMoney', limit: 'write', verb: tierVerbs.updateTierByStaff },
  'tierSettings.offer': { policy: 'manageMoney', limit: 'write', verb: tierVerbs.offerTierByStaff },
  'tierSettings.order': { policy: 'manageMoney', limit: 'write', verb: tierVerbs.orderTiersByStaff },
  'tierSettings.feature': { policy: 'manageMoney', limit: 'write', verb: tierVerbs.featureTierByStaff },
  'tierSettings.previewMove': { policy: 'manageMoney', limit: 'read', verb: tierVerbs.previewTierMove },
  'tierSettings.move': { policy: 'manageMoney', limit: 'account', verb: tierVerbs.moveTierMembers },
  'tierSettings.withdrawMoves': {
    policy: 'manageMoney',
    limit: 'account',
    verb: tierVerbs.withdrawTierMoves,
  },
} satisfies Partial<Calls>;
