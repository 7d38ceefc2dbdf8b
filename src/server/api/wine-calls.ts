import * as palate from '../taste/palate.ts';
import * as ratings from '../taste/ratings.ts';
import { openBottle, putWineAway } from '../wines/bottles.ts';
import * as wineEdits from '../wines/wine-edits.ts';
import * as wineList from '../wines/wine-list.ts';
import { allow, os, verb } from './authorize.ts';

/** The calls about wines, as rows of the router. */
export const wineCalls = {
  wines: {
    list: os.wines.list.use(allow.bar).handler(verb(wineList.listWines)),
    listOpen: os.wines.listOpen.use(allow.bar).handler(verb(wineList.listOpenWines)),
    listTonight: os.wines.listTonight.use(allow.member).handler(verb(wineList.listTonightsWines)),
    create: os.wines.create.use(allow.staff).handler(verb(wineEdits.createWine)),
    update: os.wines.update.use(allow.staff).handler(verb(wineEdits.updateWine)),
    order: os.wines.order.use(allow.staff).handler(verb(wineEdits.orderWines)),
    openBottle: os.wines.openBottle.use(allow.bar).handler(verb(openBottle)),
    putAway: os.wines.putAway.use(allow.bar).handler(verb(putWineAway)),
  },
  ratings: {
    getQuestion: os.ratings.getQuestion.use(allow.member).handler(verb(ratings.getQuestion)),
    save: os.ratings.save.use(allow.memberProfile).handler(verb(ratings.saveRating)),
    dismiss: os.ratings.dismiss.use(allow.memberProfile).handler(verb(ratings.dismissQuestion)),
    getPalate: os.ratings.getPalate.use(allow.member).handler(verb(palate.getPalate)),
    saveWords: os.ratings.saveWords.use(allow.memberProfile).handler(verb(palate.saveOwnWords)),
    reset: os.ratings.reset.use(allow.memberProfile).handler(verb(palate.resetPalate)),
    getForMember: os.ratings.getForMember.use(allow.bar).handler(verb(palate.getMemberPalate)),
  },
};
