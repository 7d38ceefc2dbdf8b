import { Notice } from './notice.tsx';
import { Reference } from './reference.tsx';
import type { FormFailure } from './use-form.ts';

/** What is wrong with a form as a whole; the `failure` of useForm. */
export function FormError({ of, title }: { of: FormFailure; title?: string }) {
  if (!of.text) return null;
  return (
    <Notice key={of.times} tone="danger" role="alert" title={title}>
      {of.text}
      <Reference of={of.error} className="mt-1" />
    </Notice>
  );
}
