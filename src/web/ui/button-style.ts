import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
type ButtonSize = 'sm' | 'md' | 'lg' | 'xl';

export interface ButtonStyle {
  variant?: ButtonVariant;
  /** `xl` is for staff behind a dark bar: easy to hit with a thumb. */
  size?: ButtonSize;
  block?: boolean;
}

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-accent-ink hover-ready:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-ink hover-ready:border-ink hover-ready:bg-surface-raised',
  quiet: 'button-quiet border-transparent bg-transparent text-accent-text hover-ready:bg-accent-soft',
  danger: 'border-transparent bg-danger-fill text-fill-ink hover-ready:brightness-90',
};

const SIZES: Record<ButtonSize, string> = {
  sm: 'min-h-11 px-3 text-sm gap-1.5',
  md: 'min-h-11 min-w-11 px-5 text-base gap-2',
  lg: 'min-h-13 px-6 max-[24rem]:px-3 text-lg gap-2.5',
  xl: 'min-h-20 short:min-h-14 lying:min-h-14 px-8 max-[24rem]:px-4 text-xl gap-4 rounded-lg',
};

export function buttonStyle(
  { variant = 'primary', size = 'md', block = false }: ButtonStyle,
  className?: string,
) {
  return classNames(
    'inline-flex select-none items-center justify-center rounded-md border py-2 text-center font-semibold leading-tight no-underline has-[>svg]:text-left [&>svg]:shrink-0 transition-[background-color,border-color,color,filter] duration-150',
    'disabled:opacity-50 aria-disabled:opacity-90',
    VARIANTS[variant],
    SIZES[size],
    block && 'w-full',
    className,
  );
}
