import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Customer } from '../../../contract/members.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { useOnline } from '../../ui/offline-notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useLogged } from '../../ui/use-logged.ts';
import { useNow } from '../../ui/use-now.ts';
import { useUpcomingChange } from '../billing/upcoming-change.ts';
import type { OwnRecord } from '../use-own.ts';
import { cardCodeQuery } from './card-code-query.ts';
import { CardFace, type CardFaceProps } from './card-face.tsx';
import {
  codeAge,
  isOverdue,
  momentNow,
  nextRequestInMs,
  RETRY_MS,
  readSteady,
  validForLabel,
  validForMs,
} from './code-lifetime.ts';
import { usePaperCard } from './use-paper-card.ts';

type MemberCardProps = Pick<OwnRecord, 'profile' | 'household' | 'dues' | 'ends'> & { customer: Customer };

export function MemberCard({ profile, customer, household, dues, ends }: MemberCardProps) {
  const tierLabel = useTierLabel();
  return (
    <MemberCardFace
      firstName={profile.first_name}
      lastName={profile.last_name}
      tier={customer.tier}
      tierLabel={tierLabel(customer.tier)}
      memberSince={dateOfDay(customer.member_since)}
      change={useUpcomingChange(household, ends, dues)}
      code={useCardCode()}
      paper={usePaperCard()}
      wallet
    />
  );
}

interface MemberCardFaceProps extends Omit<CardFaceProps, 'text' | 'codeTitle' | 'fallback' | 'note'> {
  code: CardCode;
}

export function MemberCardFace({ code, ...card }: MemberCardFaceProps) {
  return (
    <CardFace
      {...card}
      text={code.token}
      codeTitle="QR code of your membership"
      fallback={<NoCode code={code} />}
      note={<ValidityNote code={code} onPaper={card.paper.token !== null} />}
    />
  );
}

/** Screen readers announce changes of state, not every second. */
function ValidityNote({ code, onPaper }: { code: CardCode; onPaper: boolean }) {
  return (
    <>
      <p role="status" className="print-hidden min-h-6 text-balance text-center text-ink-muted text-sm">
        {code.state === 'fresh' && 'Show this code to our staff. It changes every few minutes.'}
        {code.state === 'overdue' &&
          (code.online ? 'We couldn’t get a new code yet. This one still works.' : 'This code still works.')}
        {code.state === 'overdue' && (
          <span aria-hidden="true" className="block font-medium text-ink tabular-nums">
            Valid for {validForLabel(code.validForMs)}
          </span>
        )}
      </p>
      <p className="hidden text-center text-sm print:block">
        {onPaper
          ? 'Show this card to our staff. If you lose it, get a new one on your card page: this one then stops working.'
          : 'The code on this card is valid for ten minutes. After that, our staff can find you by name.'}
      </p>
    </>
  );
}

function NoCode({ code }: { code: CardCode }) {
  if (code.state === 'loading') return <Spinner label="Loading your code" size="lg" />;
  const comes = code.online ? 'will appear here automatically' : 'will appear when you’re back online';
  return (
    <div role="status" className="flex flex-col items-center gap-3">
      <p className="font-title text-xl">
        {code.state === 'missing' ? 'Your code isn’t here yet' : 'Your code has expired'}
      </p>
      <p className="text-sm">
        {code.state === 'missing'
          ? `It ${comes}. `
          : `For your security, each code works for ten minutes. A new one ${comes}. `}
        Until then, our staff can find you by name.
      </p>
      {code.online && (
        <Button size="sm" busy={code.isFetching} onClick={code.retry}>
          Try Again
        </Button>
      )}
    </div>
  );
}

interface CardCode {
  /**
   * missing: none has arrived. fresh: up to date. overdue: still valid, but its replacement has not arrived. expired: the
   * last one is no longer valid.
   */
  state: 'loading' | 'missing' | 'fresh' | 'overdue' | 'expired';
  token: string | null;
  validForMs: number;
  online: boolean;
  isFetching: boolean;
  retry: () => void;
}

/** The member's code. Replaced every eight minutes, or as soon as the tab or network returns if that is later. */
function useCardCode(): CardCode {
  const now = { time: useNow(), steady: useNow(readSteady) };
  const online = useOnline();
  const { data, error, errorUpdateCount, isFetching, fetchStatus, refetch } = useQuery(cardCodeQuery);
  const { ms: age, isDoubtful } = data ? codeAge(data.arrived, now) : { ms: 0, isDoubtful: false };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure is waited out
  useEffect(() => {
    if (!data && !error) return;
    const wait = data && !error ? nextRequestInMs(codeAge(data.arrived, momentNow()).ms) : RETRY_MS;
    const timer = setTimeout(() => void refetch({ cancelRefetch: false }), wait);
    return () => clearTimeout(timer);
  }, [data, error, errorUpdateCount, refetch]);

  useEffect(() => {
    if (isDoubtful) void refetch({ cancelRefetch: false });
  }, [isDoubtful, refetch]);

  useLogged('Loading the card code', error);

  const validFor = data ? validForMs(age) : 0;
  const token = data && validFor > 0 ? data.token : null;
  const fetchingOnline = isFetching && online;
  const state = () => {
    if (token) return online && !isOverdue(age) ? 'fresh' : 'overdue';
    const firstTime = errorUpdateCount === 0 && fetchStatus === 'fetching';
    if (online && (firstTime || ((fetchingOnline || isDoubtful) && !error))) return 'loading';
    return data ? 'expired' : 'missing';
  };
  return {
    state: state(),
    token,
    validForMs: validFor,
    online,
    isFetching: fetchingOnline,
    retry: () => void refetch(),
  };
}
