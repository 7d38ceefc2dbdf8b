/** Escapes the text of an element, or a value in quotes of either kind. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
