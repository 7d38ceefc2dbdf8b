import Copy from 'lucide-react/icons/copy';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';

/** The text of the code, for the demo, in which one person plays both sides of the bar. */
export function CopyCode({ text }: { text: string }) {
  return (
    <section
      aria-label="For the demo"
      className="print-hidden flex flex-col items-center gap-3 rounded-lg border border-line p-4"
    >
      <p className="text-balance text-center text-ink-muted text-sm">
        Demo: no scanner at hand? Copy the code’s text, sign in as staff in a private window, and paste it
        under Enter Code Manually.
      </p>
      <p className="w-full select-all text-balance break-all text-center text-ink-muted text-sm">{text}</p>
      <Button
        variant="secondary"
        size="sm"
        icon={<Copy size={18} aria-hidden="true" />}
        onClick={() => copyText(text, 'Code copied', 'We couldn’t copy the code. Select it instead.')}
      >
        Copy Code
      </Button>
    </section>
  );
}
