/** A place on earth, in degrees. */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

const NUMBER = String.raw`[-+\u2212]?\d{1,3}(?:[.,]\d{1,15})?`;
/** Two numbers as maps copy them: '48.2082, 16.3738', '48.2082 16.3738', '48,2082; 16,3738'. */
const PAIR = new RegExp(
  String.raw`^\(?(${NUMBER})°?(?:\s*[,;]\s+|\s*;\s*|,(?=\S*\.)|\s+)(${NUMBER})°?\)?$`,
  'u',
);

/** Reads latitude and longitude; null for anything else, also beyond the poles or the date line. */
export function readCoordinates(text: string): Coordinates | null {
  const [, latitude, longitude] = PAIR.exec(text.trim()) ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  const place = { latitude: degrees(latitude), longitude: degrees(longitude) };
  return Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180 ? place : null;
}

const degrees = (text: string) => Number(text.replace(',', '.').replace('\u2212', '-'));
