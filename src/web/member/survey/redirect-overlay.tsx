import { Spinner } from '../../ui/spinner.tsx';

export function RedirectOverlay() {
  return (
    <div className="fixed inset-0 z-40 grid place-items-center bg-backdrop p-6">
      <div className="animate-rise rounded-lg border border-line bg-surface-raised px-10 py-9 shadow-raised">
        <Spinner size="lg" delayed={false} showLabel label="Taking you to the payment page" />
      </div>
    </div>
  );
}
