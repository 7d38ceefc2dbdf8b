import Search from 'lucide-react/icons/search';
import type { KeyboardEventHandler } from 'react';
import { classNames } from './class-names.ts';
import { TextField } from './text-field.tsx';

/** Longer than any name, email or phone. */
export const MAX_SEARCH_LENGTH = 100;

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  className?: string;
  text: string;
  onText: (text: string) => void;
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
}

export function SearchField({
  label,
  placeholder = label,
  className,
  text,
  onText,
  onKeyDown,
}: SearchFieldProps) {
  return (
    <TextField
      label={label}
      labelHidden
      className={classNames('[&_input::-webkit-search-cancel-button]:grayscale', className)}
      type="search"
      placeholder={placeholder}
      icon={<Search size={20} aria-hidden="true" />}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="search"
      maxLength={MAX_SEARCH_LENGTH}
      value={text}
      onKeyDown={onKeyDown}
      onChange={(event) => onText(event.target.value)}
    />
  );
}
