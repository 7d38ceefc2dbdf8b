import { classNames } from './class-names.ts';

interface InitialsProps {
  first_name: string;
  last_name: string;
  className?: string;
}

export function Initials({ first_name, last_name, className }: InitialsProps) {
  const letters = [first_name, last_name].map((name) => [...name.trim()][0] ?? '').join('');
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'grid shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-text uppercase',
        className,
      )}
    >
      {letters || '?'}
    </span>
  );
}
