import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';

/** Shown once: the secret cannot be read again. */
export function SecretPanel({ secret, onDone }: { secret: string; onDone: () => void }) {
  const copy = () =>
    copyText(secret, 'Secret copied', 'We couldn’t copy it. Select the text and copy it yourself.');
  return (
    <div className="flex flex-col gap-5">
      <p>The other system uses it to check that messages come from you. It is shown only once.</p>
      <p className="select-all break-all rounded-md bg-surface-sunken p-4 font-code">{secret}</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onDone}>I’ve Saved It</Button>
        <Button variant="secondary" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
    </div>
  );
}
