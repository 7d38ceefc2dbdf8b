/** For how many people a tier is, where that is more than one: 'For two people who share the glasses'. */
export const peopleText = (people: number): string | null =>
  people > 1 ? 'For two people who share the glasses, each with their own card' : null;

/** The same in few words, to go beside the price. */
export const peopleNote = (people: number): string => (people > 1 ? ', for two people' : '');
