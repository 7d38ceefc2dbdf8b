import { useEffect, useRef, useState } from 'react';
import { site } from '../api/site.ts';

type Provider = NonNullable<typeof site.captcha>['provider'];

/** The three providers share these calls; that is why one part does for all. */
interface Widget {
  render(
    where: HTMLElement,
    options: { sitekey: string; callback(solution: string): void; 'expired-callback'(): void },
  ): unknown;
  ready?(then: () => void): void;
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
      // reCAPTCHA's script only fetches the real one; the others are ready, and some refuse to be asked.
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

interface CaptchaProps {
  /** Null when the solution has expired. */
  onSolution: (solution: string | null) => void;
}

/** The configured provider's check that a person is there; nothing where none is configured. A solution
 * serves once: give it another `key` after it was sent. */
export function Captcha({ onSolution }: CaptchaProps) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const tell = useRef(onSolution);
  tell.current = onSolution;

  useEffect(() => {
    const { captcha } = site;
    if (!captcha) return;
    let gone = false;
    loadWidget(captcha.provider).then(
      (widget) => {
        if (gone || !place.current) return;
        // A child of its own, as the widgets cannot be drawn twice into one element.
        const box = place.current.appendChild(document.createElement('div'));
        widget.render(box, {
          sitekey: captcha.site_key,
          callback: (solution) => tell.current(solution),
          'expired-callback': () => tell.current(null),
        });
      },
      () => setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, []);

  if (!site.captcha) return null;
  return (
    <div>
      <div ref={place} className="min-h-18" />
      {failed && (
        <p role="alert" className="text-danger text-sm">
          The check that you are a person could not be loaded. Please reload the page, or allow it in your
          browser.
        </p>
      )}
    </div>
  );
}
