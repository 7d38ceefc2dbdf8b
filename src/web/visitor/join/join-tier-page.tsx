import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { email } from '../../../contract/forms/credentials.ts';
import { personName, phoneNumber } from '../../../contract/forms/person.ts';
import type { TierDefinition } from '../../../contract/tiers.ts';
import type { ConsentWords } from '../../../domain/consent.ts';
import { authErrorText, refusalOf } from '../../api/api-error.ts';
import { auth } from '../../api/auth-client.ts';
import { api } from '../../api/client.ts';
import { forgetChosenTier, keepLeftToDo } from '../../api/joining.ts';
import { COOKIES_BLOCKED, currentUser, forgetSession, join, type SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useOnReturn } from '../../ui/use-on-return.ts';
import { EmailField } from '../auth-fields.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { CAPTCHA_MISSING, useCaptcha } from '../captcha.tsx';
import { showCheckoutFailure } from '../checkout-failure.ts';
import { LinkUnread } from '../links/link-unread.tsx';
import { useLink } from '../links/use-link.ts';
import { type Period, PeriodChoice, periodOf } from '../period-choice.tsx';
import { consentTo, TierOffer } from './tier-offer.tsx';

interface Joining {
  tier: TierDefinition;
  /** Null for a visitor, who gives name and email. */
  user: SessionUser | null;
  is_member: boolean;
}

async function readJoining(tier_name: string, signal: AbortSignal): Promise<Joining> {
  const [tier, user] = await Promise.all([api.tiers.getOnOffer({ tier_name }, { signal }), currentUser()]);
  const me = user?.role === 'customer' ? await api.members.getOwn(undefined, { signal }) : null;
  return { tier, user, is_member: me?.customer?.status === 'active' };
}

/** A tier's 'Join' leads here: who someone is, what they agree to, and on to the payment. */
export default function JoinTierPage() {
  const { tier: name } = useParams({ from: '/join/$tier' });
  const { period } = useSearch({ from: '/join/$tier' });
  const [why, setWhy] = useState('');
  const { state, setState, retry } = useLink(name, (signal) =>
    readJoining(name, signal).catch((error: unknown) => {
      setWhy(refusalOf(error, 'JOINING_CLOSED') ? authErrorText(error, '') : NOT_ON_OFFER);
      throw error;
    }),
  );
  if (typeof state === 'object' && state.is_member) return <Navigate to="/dashboard" replace />;
  return (
    <AuthLayout
      title="Join"
      heading={`Join ${typeof state === 'object' ? state.tier.display_name : site.club_name}`}
      lead={site.club_name}
      footer={
        state === 'invalid' || (typeof state === 'object' && state.user) ? (
          ALL_TIERS
        ) : (
          <>
            Already have an account?{' '}
            <Link to="/login" search={{ redirect: backTo(name, period) }} className="link">
              Sign in
            </Link>
          </>
        )
      }
    >
      {state === 'reading' ? (
        <SkeletonLines lines={8} />
      ) : state === 'failed' ? (
        <LinkUnread onRetry={retry} />
      ) : state === 'invalid' ? (
        <p role="status">{why}</p>
      ) : state.user && state.user.role !== 'customer' ? (
        <p>You are signed in as staff. Sign out to join with an account of your own.</p>
      ) : (
        <JoinForm {...state} onUser={(user) => setState({ ...state, user })} onOutdated={retry} />
      )}
    </AuthLayout>
  );
}

const NOT_ON_OFFER = 'This membership isn’t on offer any more. Please choose another.';

const ALL_TIERS = site.club_page && (
  <a href="/club" className="link">
    All memberships
  </a>
);

/** Where a sign-in leads back to. */
const backTo = (tier: string, period: Period | undefined) =>
  `/join/${encodeURIComponent(tier)}${period === 'year' ? '?period=year' : ''}`;

interface JoinFormProps extends Omit<Joining, 'is_member'> {
  onUser: (user: SessionUser) => void;
  /** The tier has changed since it was read. */
  onOutdated: () => void;
}

function JoinForm({ tier, user, onUser, onOutdated }: JoinFormProps) {
  const search = useSearch({ from: '/join/$tier' });
  const navigate = useNavigate({ from: '/join/$tier' });
  const consentId = useId();
  const captcha = useCaptcha();
  const period = periodOf(tier, search.period ?? 'month');
  // In the URL, so that a sign-in or a return from the payment page keeps it.
  const setPeriod = (chosen: Period) =>
    navigate({ search: chosen === 'year' ? { period: chosen } : {}, replace: true, resetScroll: false });
  const { words, leaving, pay } = usePayment({ tier, period, onUser, onOutdated });
  /** The email of an account that someone has to sign in to. */
  const [taken, setTaken] = useState('');

  const form = useForm({
    fields: { first_name: personName, last_name: personName, email, phone: z.optional(phoneNumber) },
    onSubmit: async (person): Promise<void> => {
      if (leaving) return;
      if (user) return pay(user);
      if (captcha.isMissing) return form.fail(CAPTCHA_MISSING);
      if (!navigator.cookieEnabled) return form.fail(COOKIES_BLOCKED);
      try {
        const payer = await join({ ...person, captcha: captcha.solution });
        if (!payer) return form.fail(COOKIES_BLOCKED);
        keepLeftToDo(payer.id, 'password');
        return pay(payer);
      } catch (error) {
        if (!refusalOf(error, 'EMAIL_TAKEN')) throw error;
        const payer = await signedInHere(person.email);
        if (payer) return pay(payer);
        captcha.renew();
        setTaken(person.email);
      }
    },
    onError: (error) => {
      captcha.renew();
      return authErrorText(error, 'Error creating account');
    },
  });

  return (
    <form {...form.props} className="flex flex-col gap-5">
      <TierOffer tier={tier} />
      <PeriodChoice tier={tier} period={period} onChoose={(it) => void setPeriod(it)} />
      {user ? (
        <p className="wrap-anywhere text-sm">
          You are signed in as <strong>{user.email}</strong>.
        </p>
      ) : (
        <>
          <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
            <TextField label="First Name" autoComplete="given-name" {...form.field('first_name')} />
            <TextField label="Last Name" autoComplete="family-name" {...form.field('last_name')} />
          </div>
          <EmailField autoComplete="email" {...form.field('email')} />
          {taken !== '' && taken === form.values.email.trim() && <EmailTaken tier={tier} period={period} />}
          <TextField label="Phone" type="tel" autoComplete="tel" {...form.field('phone')} />
          {captcha.widget}
        </>
      )}
      <FormError of={form.failure} />
      <ConsentText words={words} id={consentId} />
      <Button type="submit" size="lg" block busy={form.busy || leaving} aria-describedby={consentId}>
        Continue to Payment
      </Button>
    </form>
  );
}

/** The user who is signed in by now, as in another tab, with this email; null otherwise. */
async function signedInHere(typed: string): Promise<SessionUser | null> {
  forgetSession();
  const user = await currentUser().catch(() => null);
  return user?.role === 'customer' && user.email === typed.toLowerCase() ? user : null;
}

function EmailTaken({ tier, period }: { tier: TierDefinition; period: Period }) {
  const redirect = backTo(tier.tier_name, period);
  return (
    <Notice
      tone="warning"
      role="alert"
      title="This email has an account"
      action={
        <div className="flex flex-wrap gap-3">
          <LinkButton to="/login" search={{ redirect }} size="sm">
            Sign In
          </LinkButton>
          <LinkButton to="/forgot-password" size="sm" variant="secondary">
            Choose a Password
          </LinkButton>
        </div>
      }
    >
      Sign in, and you’ll come back to this payment. If you never chose a password, we’ll email you a link.
    </Notice>
  );
}

function usePayment({
  tier,
  period,
  onUser,
  onOutdated,
}: Pick<JoinFormProps, 'tier' | 'onUser' | 'onOutdated'> & { period: Period }) {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  /** The server's texts beside the button, after it refused the text made here from the tier. */
  const [current, setCurrent] = useState<Partial<Record<Period, ConsentWords>>>({});
  const words = current[period] ?? consentTo(tier, period);
  const payer = useRef<SessionUser>(null);

  const stay = () => {
    setLeaving(false);
    if (payer.current) onUser(payer.current);
  };
  useOnReturn(stay);

  const pay = async (user: SessionUser): Promise<void> => {
    payer.current = user;
    setLeaving(true);
    try {
      const { id } = await api.applications.chooseTier({ tier: tier.tier_name });
      const { url } = await api.functions.createCheckout({
        ...{ tierName: tier.tier_name, applicationId: id, userId: user.id },
        ...(period === 'year' && { period }),
        consentVersion: words.version,
      });
      forgetChosenTier();
      // The button stays busy, because this page is still open while the browser fetches the next one.
      window.location.assign(url);
    } catch (error) {
      stay();
      showCheckoutFailure(error);
      const refused = refusalOf(error, 'CONSENT_OUTDATED')?.data.current;
      if (refused) setCurrent((before) => ({ ...before, [period]: refused }));
      if (refusalOf(error, 'TIER_NOT_AVAILABLE')) onOutdated();
      if (refusalOf(error, 'ALREADY_MEMBER')) await navigate({ to: '/dashboard', replace: true });
      // The refusal names a link that was not sent yet.
      if (refusalOf(error, 'EMAIL_NOT_VERIFIED'))
        await auth.resendVerification({ email: user.email }).catch(() => undefined);
    }
  };

  return { words, leaving, pay };
}
