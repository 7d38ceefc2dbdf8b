import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';
import { noAnswerText, Reference } from './reference.tsx';
import type { SendFailure } from './use-send.ts';

/** The button that was pressed may be far from the text, or pinned below it. */
const scrollIntoView = (text: HTMLElement | null) => text?.scrollIntoView({ block: 'nearest' });

/** What is wrong with a form as a whole; the `failure` of useForm or useSend. */
export function FormError({ of, title, action }: { of: SendFailure; title?: string; action?: ReactNode }) {
  if (!of.text) return null;
  const noAnswer = noAnswerText(of.error);
  return (
    <div key={of.times} ref={scrollIntoView}>
      <Notice tone="danger" role="alert" title={title} action={action}>
        {of.text}
        {noAnswer && <span className="mt-1 block">{noAnswer}</span>}
        <Reference of={of.error} className="mt-1" />
      </Notice>
    </div>
  );
}
