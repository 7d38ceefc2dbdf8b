import type { ClubField } from '../../../domain/club/club-settings.ts';

/** What the club's settings are called, in the form and in the audit. */
export const CLUB_LABELS: Record<ClubField, string> = {
  club_name: 'Name of the Club',
  support_email: 'Support Email',
  time_zone: 'Time Zone',
  minimum_age: 'Minimum Age',
  terms_url: 'Address of Your Terms',
  service_amber: 'Glasses in 2 Hours: Warning',
  service_water: 'Glasses in 2 Hours: Water',
  places: 'Places',
  birthday_glasses: 'On the House: Birthday',
  anniversary_glasses: 'On the House: Anniversary',
  hundredth_glasses: 'On the House: Hundredth Glass',
};

const HINTS: Record<ClubField, string> = {
  club_name: 'On every page, in emails, on cards and passes.',
  support_email: 'Where members write with questions.',
  time_zone: 'Days, billing at the venue and reports begin at midnight there.',
  minimum_age: 'Stands beside the buttons that create an account and lead to the payment. 0 for none.',
  places: 'Where glasses are poured, in the order of the pour form.',
  terms_url: 'Linked beside those buttons. Empty for none.',
  service_amber: 'From this many on, staff see a warning before they pour.',
  service_water: 'From this many on, staff say that they offered water, or write a note, before they pour.',
  birthday_glasses: 'Glasses given to members on their birthday, where staff noted it. 0 for none.',
  anniversary_glasses: 'Glasses given on each anniversary of joining. 0 for none.',
  hundredth_glasses: 'Glasses given on the day of the hundredth glass. 0 for none.',
};
export const clubHint = (field: ClubField): string => HINTS[field];
