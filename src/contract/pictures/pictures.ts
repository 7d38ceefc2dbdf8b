import { z } from 'zod';
import { answersFile, DELETE, GET, id, PUT } from '../base.ts';
import { refusals } from '../refusals.ts';
import { staffWine } from '../wine/wines.ts';
import { pictureContent, pictureFile, pictureVersion } from './picture.ts';

/** `v`: the caller's version. If it is current, the response may be cached: a photo for a day, a wine for a year. */
const version = { v: pictureVersion.optional() };
const ofMember = { customer_id: id };
const upload = {
  content: pictureContent,
  /** The member agreed that staff see the photo. */
  agreed: z.literal(true, 'Ask the member first.'),
};
const result = z.object({ photo: pictureVersion });
const removal = z.object({ removed: z.literal(true) });
const notFound = refusals('NOT_FOUND');

export const photos = {
  getOwn: GET('/profile/photo', {
    ...answersFile('image/webp'),
    summary: "Get the signed-in user's photo",
    description: 'WebP, 256 by 256 pixels; NOT_FOUND without one.',
  })
    .input(z.strictObject(version))
    .errors(notFound)
    .output(pictureFile),
  saveOwn: PUT('/profile/photo', {
    summary: "Save the signed-in user's photo",
    description: 'A JPEG, PNG or WebP of at most 45 KB in base64. Staff see it when the card is scanned.',
  })
    .input(z.strictObject(upload))
    .errors(refusals('PICTURE_REFUSED'))
    .output(result),
  removeOwn: DELETE('/profile/photo', { summary: "Remove the signed-in user's photo" }).output(removal),
  get: GET('/customers/{customer_id}/photo', {
    ...answersFile('image/webp'),
    summary: "Get a member's photo",
    description: 'For staff: WebP, 256 by 256 pixels; NOT_FOUND without one.',
  })
    .input(z.strictObject({ ...ofMember, ...version }))
    .errors(notFound)
    .output(pictureFile),
  save: PUT('/customers/{customer_id}/photo', {
    summary: "Save a member's photo",
    description: 'A JPEG, PNG or WebP of at most 45 KB in base64, after the member agreed.',
  })
    .input(z.strictObject({ ...ofMember, ...upload }))
    .errors(refusals('NOT_FOUND', 'PICTURE_REFUSED'))
    .output(result),
  remove: DELETE('/customers/{customer_id}/photo', { summary: "Remove a member's photo" })
    .input(z.strictObject(ofMember))
    .errors(notFound)
    .output(removal),
};

export const winePictures = {
  get: GET('/wines/{id}/picture', {
    ...answersFile('image/webp'),
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
