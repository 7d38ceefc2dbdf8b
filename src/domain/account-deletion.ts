/** What users type to confirm that they want to delete their account. */
export const DELETE_CONFIRMATION = 'DELETE';
