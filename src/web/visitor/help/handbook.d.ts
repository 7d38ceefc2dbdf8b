declare module 'virtual:handbook' {
  export interface HandbookPage {
    /** The last part of its URL, /help/SLUG. */
    slug: string;
    title: string;
    /** What it is about, in a few words. */
    detail: string;
    /** Made from our own Markdown by the build, which refuses HTML in it. */
    html: string;
  }
  /** The pages for one kind of reader. */
  export interface HandbookGroup {
    title: string;
    pages: HandbookPage[];
  }
  /** docs/handbook, made by the build. */
  const groups: HandbookGroup[];
  export default groups;
}
