import { getMemberPalate, getPalate, resetPalate, saveOwnWords } from '../../taste/palate.ts';
import * as ratings from '../../taste/ratings.ts';
import { openBottle, putWineAway } from '../../wines/bottles.ts';
import * as wineEdits from '../../wines/wine-edits.ts';
import { listOpenWines, listTonightsWines, listWines } from '../../wines/wine-list.ts';
import * as winePictures from '../../wines/wine-pictures.ts';
import type { Calls } from '../call.ts';

export const wineCalls = {
  'wines.list': { policy: 'bar', limit: 'read', scope: 'wines:read', verb: listWines },
  'wines.listOpen': { policy: 'bar', limit: 'bar', scope: 'wines:read', verb: listOpenWines },
  'wines.listTonight': { policy: 'member', limit: 'read', scope: 'wines:read', verb: listTonightsWines },
  'wines.create': { policy: 'staff', limit: 'write', verb: wineEdits.createWine },
  'wines.update': { policy: 'staff', limit: 'write', verb: wineEdits.updateWine },
  'wines.order': { policy: 'staff', limit: 'write', verb: wineEdits.orderWines },
  'wines.openBottle': { policy: 'bar', limit: 'write', scope: 'wines:write', verb: openBottle },
  'wines.putAway': { policy: 'bar', limit: 'write', scope: 'wines:write', verb: putWineAway },

  'winePictures.get': { policy: 'signedIn', limit: 'bar', verb: winePictures.getWinePicture },
  'winePictures.save': { policy: 'staff', limit: 'account', verb: winePictures.saveWinePicture },
  'winePictures.remove': { policy: 'staff', limit: 'write', verb: winePictures.removeWinePicture },

  'ratings.getQuestion': { policy: 'member', limit: 'read', scope: 'own:read', verb: ratings.getQuestion },
  'ratings.save': { policy: 'memberProfile', limit: 'write', verb: ratings.saveRating },
  'ratings.dismiss': { policy: 'memberProfile', limit: 'write', verb: ratings.dismissQuestion },
  'ratings.getPalate': { policy: 'member', limit: 'read', scope: 'own:read', verb: getPalate },
  'ratings.saveWords': { policy: 'memberProfile', limit: 'write', verb: saveOwnWords },
  'ratings.reset': { policy: 'memberProfile', limit: 'write', verb: resetPalate },
  'ratings.getForMember': { policy: 'bar', limit: 'bar', scope: 'members:read', verb: getMemberPalate },
} satisfies Partial<Calls>;
