import { useCallback, useState } from 'react';
import { Notice } from '../ui/notice.tsx';

interface ToldProblem {
  text: string;
  // Counted, so that the same words are read out again when the same mistake is made again.
  times: number;
}

/** What is wrong with a form, and how to say it; no text for nothing. */
export function useFormError(): [ToldProblem, (text: string) => void] {
  const [problem, setProblem] = useState<ToldProblem>({ text: '', times: 0 });
  const say = useCallback((text: string) => setProblem(({ times }) => ({ text, times: times + 1 })), []);
  return [problem, say];
}

export function FormError({ of }: { of: ToldProblem }) {
  if (!of.text) return null;
  return (
    <Notice key={of.times} tone="danger" role="alert">
      {of.text}
    </Notice>
  );
}
