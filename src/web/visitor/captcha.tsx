import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { site } from '../api/site.ts';

type Provider = NonNullable<typeof site.captcha>['provider'];

interface Widget {
  render(
    target: HTMLElement,
    options: { sitekey: string; callback(solution: string): void; 'expired-callback'(): void },
  ): unknown;
  ready?(callback: () => void): void;
}

const providers: Record<Provider, { script: string; global: string }> = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    global: 'turnstile',
  },
  hcaptcha: { script: 'https://js.hcaptcha.com/1/api.js?render=explicit', global: 'hcaptcha' },
  recaptcha: { script: 'https://www.google.com/recaptcha/api.js?render=explicit', global: 'grecaptcha' },
};

let loading: Promise<Widget> | null = null;

function loadWidget(provider: Provider): Promise<Widget> {
  const { script, global } = providers[provider];
  loading ??= new Promise<Widget>((resolve, reject) => {
    const element = document.createElement('script');
    element.src = script;
    element.onload = () => {
      const widget = (window as unknown as Record<string, Widget>)[global];
      if (!widget) reject(new Error(`${global} is missing`));
      // Only reCAPTCHA's script loads another one first; some of the others throw when ready() is called.
      else if (provider === 'recaptcha' && widget.ready) widget.ready(() => resolve(widget));
      else resolve(widget);
    };
    element.onerror = () => reject(new Error('The captcha could not be loaded'));
    document.head.append(element);
  }).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** The widget of the configured captcha; renders nothing without one. The solution is null once it has expired. */
function Captcha({ onSolution }: { onSolution: (solution: string | null) => void }) {
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const report = useEffectEvent(onSolution);

  useEffect(() => {
    const { captcha } = site;
    if (!captcha) return;
    let isGone = false;
    loadWidget(captcha.provider).then(
      (widget) => {
        if (isGone || !container.current) return;
        // A new child each time, because the widgets cannot render twice into one element.
        const box = container.current.appendChild(document.createElement('div'));
        widget.render(box, {
          sitekey: captcha.site_key,
          callback: (solution) => report(solution),
          'expired-callback': () => report(null),
        });
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, []);

  if (!site.captcha) return null;
  return (
    <div>
      <div ref={container} className="min-h-18" />
      {failed && (
        <p role="alert" className="text-danger text-sm">
          We couldn’t load the captcha. Please reload the page, or allow it in your browser.
        </p>
      )}
    </div>
  );
}

/** The captcha of a form: its widget, and the visitor's solution, which works once. Empty without a captcha. */
export function useCaptcha() {
  const [solution, setSolution] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  return {
    widget: <Captcha key={`round ${round}`} onSolution={setSolution} />,
    solution: solution ?? undefined,
    isMissing: site.captcha !== null && solution === null,
    /** Call after a sent solution was rejected: shows a new check. */
    renew(): void {
      setSolution(null);
      setRound((it) => it + 1);
    },
  };
}

export const CAPTCHA_MISSING = 'Please complete the check below first.';
