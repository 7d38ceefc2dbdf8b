/** URLs of pictures contain the version, so a browser caches a picture and fetches only a new one. */
const at = (path: string, version: string) => `/api${path}?v=${encodeURIComponent(version)}`;

export const ownPhotoUrl = (version: string | null | undefined): string | null =>
  version ? at('/profile/photo', version) : null;

export const winePictureUrl = (wineId: string, version: string | null | undefined): string | null =>
  version ? at(`/wines/${wineId}/picture`, version) : null;

export const memberPhotoUrl = (customerId: string, version: string | null | undefined): string | null =>
  version ? at(`/customers/${customerId}/photo`, version) : null;
