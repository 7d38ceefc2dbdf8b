/** Entries outlive deleted accounts. */
export const nameOf = ({ name }: { name: string | null }): string => name || 'Deleted account';
