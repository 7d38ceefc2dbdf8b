declare module 'virtual:handbook' {
  export interface HandbookPage {
    /** The last part of its URL, /help/SLUG. */
    slug: string;
    title: string;
    detail: string;
    /** Made from our own Markdown by the build, which refuses HTML in it. */
    html: string;
  }
  export interface HandbookGroup {
    title: string;
    pages: HandbookPage[];
  }
  /** docs/handbook, made by the build. */
  const groups: HandbookGroup[];
  export default groups;
}
