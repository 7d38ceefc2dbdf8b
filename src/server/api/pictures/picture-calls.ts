import * as photos from '../../membership/record/member-photo.ts';
import * as winePictures from '../../wines/wine-pictures.ts';
import { allow, os, verb } from '../authorize.ts';

/** The calls about pictures that people upload, as rows of the router. */
export const pictureCalls = {
  photos: {
    getOwn: os.photos.getOwn.use(allow.memberProfile).handler(verb(photos.getOwnPhoto)),
    saveOwn: os.photos.saveOwn.use(allow.ownPhoto).handler(verb(photos.saveOwnPhoto)),
    removeOwn: os.photos.removeOwn.use(allow.memberProfile).handler(verb(photos.removeOwnPhoto)),
    get: os.photos.get.use(allow.memberPhoto).handler(verb(photos.getMemberPhoto)),
    save: os.photos.save.use(allow.manageMembers).handler(verb(photos.saveMemberPhoto)),
    remove: os.photos.remove.use(allow.manageMembers).handler(verb(photos.removeMemberPhoto)),
  },
  winePictures: {
    get: os.winePictures.get.use(allow.signedIn).handler(verb(winePictures.getWinePicture)),
    save: os.winePictures.save.use(allow.staff).handler(verb(winePictures.saveWinePicture)),
    remove: os.winePictures.remove.use(allow.staff).handler(verb(winePictures.removeWinePicture)),
  },
};
