import { z } from 'zod';
import { DELETE, GET, id, PUT } from '../base.ts';
import { refusals } from '../refusals.ts';
import { staffWine } from '../wine/wines.ts';
import { pictureContent, pictureFile, pictureVersion } from './picture.ts';

export const winePictures = {
  get: GET('/wines/{id}/picture', {
    outputStructure: 'detailed',
    summary: 'Get the picture of a wine',
    description:
      'WebP, at most 240 by 320 pixels; NOT_FOUND without one. With the current version as `v`, it may be kept.',
  })
    .input(z.strictObject({ id, v: pictureVersion.optional() }))
    .errors(refusals('NOT_FOUND'))
    .output(pictureFile),
  save: PUT('/wines/{id}/picture', {
    summary: 'Save the picture of a wine',
    description: 'For staff: a JPEG, PNG or WebP of at most 45 KB in base64.',
  })
    .input(z.strictObject({ id, content: pictureContent }))
    .errors(refusals('NOT_FOUND', 'PICTURE_REFUSED'))
    .output(staffWine),
  remove: DELETE('/wines/{id}/picture', {
    summary: 'Remove the picture of a wine',
    description: 'For staff. Again, it changes nothing.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(staffWine),
};
