import * as paperCards from '../card/paper-card.ts';
import { getApplePass, linkGooglePass } from '../wallet/wallet-passes.ts';
import { allow, os, verb } from './authorize.ts';

/** The calls about codes for paper and passes in wallets, as rows of the router. */
export const cardCalls = {
  paperCards: {
    getOwn: os.paperCards.getOwn.use(allow.paperCard).handler(verb(paperCards.getOwnPaperCard)),
    issue: os.paperCards.issue.use(allow.paperCard).handler(verb(paperCards.issuePaperCard)),
    replace: os.paperCards.replace.use(allow.paperCard).handler(verb(paperCards.replacePaperCard)),
  },
  walletPasses: {
    getApple: os.walletPasses.getApple.use(allow.walletPass).handler(verb(getApplePass)),
    linkGoogle: os.walletPasses.linkGoogle.use(allow.walletPass).handler(verb(linkGooglePass)),
  },
};
