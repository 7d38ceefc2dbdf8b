import { generateCardToken, verifyCardToken } from '../../card/card-token.ts';
import * as paperCards from '../../card/paper-card.ts';
import { getApplePass, linkGooglePass } from '../../wallet/wallet-passes.ts';
import type { Calls } from '../call.ts';

export const cardCalls = {
  'functions.generateQrToken': {
    policy: 'member',
    limit: 'write',
    scope: 'own:write',
    verb: generateCardToken,
  },

  'functions.verifyQrToken': { policy: 'bar', limit: 'bar', scope: 'cards:read', verb: verifyCardToken },

  'paperCards.getOwn': { policy: 'paperCard', limit: 'read', verb: paperCards.getOwnPaperCard },
  'paperCards.issue': { policy: 'paperCard', limit: 'write', verb: paperCards.issuePaperCard },
  'paperCards.replace': { policy: 'paperCard', limit: 'write', verb: paperCards.replacePaperCard },

  'walletPasses.getApple': { policy: 'walletPass', limit: 'account', verb: getApplePass },
  'walletPasses.linkGoogle': { policy: 'walletPass', limit: 'account', verb: linkGooglePass },
} satisfies Partial<Calls>;
