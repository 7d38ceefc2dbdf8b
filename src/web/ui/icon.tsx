// The few icons that the first page needs, drawn here because the icon library would weigh more than all of them together.
// Other pages may use the library.
const SHAPES = {
  check: 'M5 12.5 10 17.5 19.5 7',
  cross: 'M6 6 18 18M18 6 6 18',
  info: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM12 11v5M12 7.5v.1',
  alert: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM12 7.5v5.5M12 16.4v.1',
  caution: 'M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17v.1',
  done: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM8 12.3l2.8 2.8L16 9.5',
  offline:
    'M4 4 20 20M9 15a4.5 4.5 0 0 1 6 0M5.5 11.5a9.5 9.5 0 0 1 4-2.3M14.5 9.3a9.5 9.5 0 0 1 4 2.2M12 18.5v.1',
  eye: 'M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12ZM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z',
  eyeOff:
    'M4 4 20 20M6.5 7.2C5 8.3 3.6 9.9 2.5 12c2.5 4.5 5.8 6.5 9.5 6.5 1.7 0 3.3-.4 4.8-1.3M10 5.7c.7-.1 1.3-.2 2-.2 3.7 0 7 2 9.5 6.5-.6 1.1-1.3 2.1-2 2.9M9.9 9.9a3 3 0 0 0 4.2 4.2',
  back: 'M19 12H5M11 6l-6 6 6 6',
  down: 'M6 9.5l6 6 6-6',
};

interface IconProps {
  shape: keyof typeof SHAPES;
  size?: number;
  strokeWidth?: number;
  className?: string;
}

/** Hidden from screen readers: always next to text, or inside something with a label. */
export function Icon({ shape, size = 20, strokeWidth = 1.75, className }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      <path d={SHAPES[shape]} />
    </svg>
  );
}
