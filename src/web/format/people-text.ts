/** The number of people a tier is for, if more than one: 'For two people who share the pours'. */
export const peopleText = (people: number): string | null =>
  people > 1 ? 'For two people who share the pours, each with their own card' : null;

/** The note beside the price. */
export const peopleNote = (people: number): string => (people > 1 ? ', for two people' : '');
