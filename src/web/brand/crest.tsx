/** A glass under the arch of a cellar door. The stylesheet replaces it with the club's logo (domain/club/logo.ts). */
export function Crest({ className }: { className: string }) {
  return (
    <svg
      viewBox="0 0 48 56"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`crest ${className}`}
    >
      <path d="M4 54V24a20 20 0 0 1 40 0v30" strokeWidth="1.5" />
      <path d="M8.5 54V24.5a15.5 15.5 0 0 1 31 0V54" strokeWidth="0.75" opacity="0.7" />
      <path d="M2 54h44" strokeWidth="1.5" />
      <path d="M17.5 21h13c.8 8.5-1.7 13-6.5 13s-7.3-4.5-6.5-13Z" strokeWidth="1.5" />
      <path d="M17.4 25.5h13.2c-.2 5.3-2.6 8.5-6.6 8.5s-6.4-3.2-6.6-8.5Z" fill="currentColor" stroke="none" />
      <path d="M24 34v11M19.5 46c1.5-.7 3-1 4.5-1s3 .3 4.5 1" strokeWidth="1.5" />
    </svg>
  );
}
