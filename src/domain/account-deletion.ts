/** What a person types to delete their account, so that nobody does it by mistake. */
export const DELETE_CONFIRMATION = 'DELETE';
