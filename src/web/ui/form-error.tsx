import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';
import { Reference } from './reference.tsx';
import type { SendFailure } from './use-send.ts';

interface FormErrorProps {
  of: SendFailure;
  title?: string;
  /** A button that may help. */
  action?: ReactNode;
}

/** What is wrong with a form as a whole; the `failure` of useForm or useSend. */
export function FormError({ of, title, action }: FormErrorProps) {
  if (!of.text) return null;
  return (
    <Notice key={of.times} tone="danger" role="alert" title={title} action={action}>
      {of.text}
      <Reference of={of.error} className="mt-1" />
    </Notice>
  );
}
