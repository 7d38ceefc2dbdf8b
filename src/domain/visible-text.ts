/**
 * A text without what a paste brings along unseen, also within it: zero-width characters, soft hyphens, no-break spaces; and
 * without outer spaces.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(/(?! )[\p{Default_Ignorable_Code_Point}\p{Zs}]/gu, '').trim();
