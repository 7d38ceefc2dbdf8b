import { Notice } from './notice.tsx';
import { Reference } from './reference.tsx';
import type { SendFailure } from './use-send.ts';

/** What is wrong with a form as a whole; the `failure` of useForm or useSend. */
export function FormError({ of, title }: { of: SendFailure; title?: string }) {
  if (!of.text) return null;
  return (
    <Notice key={of.times} tone="danger" role="alert" title={title}>
      {of.text}
      <Reference of={of.error} className="mt-1" />
    </Notice>
  );
}
