import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { GuestRefused, RefusedHolder, ReplacedHolder } from '../../../contract/functions.ts';
import { cleanCode } from '../../../domain/card.ts';
import { isApiError } from '../../api/api-error.ts';
import { api, serverMessage } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { logFailure } from '../../api/log-failure.ts';
import { isOnline } from '../../api/online.ts';
import { dateOfDay } from '../../format/dates.ts';
import { noAccessReason } from '../../format/standing-labels.ts';
import { type ToastOptions, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { playFeedback } from '../feedback/feedback.ts';
import { queueStore } from '../offline-queue/queue-store.ts';
import { barCardQuery } from '../pours/bar-card-query.ts';
import { dateOfInstant } from '../venue-dates.ts';

const ASK_AGAIN = { description: 'Ask them to open their card again.' };

const GUEST_REASONS: Record<GuestRefused['reason'], string> = {
  used: 'their guest has already used it',
  withdrawn: 'the member took it back',
  expired: 'this guest pour has expired',
  unknown: 'there is no such guest pour',
  age_not_stated: 'the guest needs to open the link and confirm their age',
};

type Verification = Awaited<ReturnType<typeof api.functions.verifyQrToken>>;

export type Refusal = Pick<ToastOptions, 'description' | 'action'>;

/**
 * Asks the server whose code this is, and opens that member or application. `onRefused`: the code is invalid or could not
 * be checked.
 */
export function useVerifyCard(onRefused: (refusal: Refusal) => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { busy, send } = useSend();
  const open = async (tokens: string[]) => {
    const result = await verifyFirst(tokens);
    const { valid, customer, paper_card_id, guest_glass_id, application_id } = result;
    const { refused, replaced, guest_refused } = result;
    if (application_id) {
      playFeedback('accepted');
      toast.info('Not a member yet: this application is pending', { nextPage: true });
      await navigate({ to: '/staff/applications/$id', params: { id: application_id } });
      return;
    }
    if (!valid || !customer) {
      refuse(
        'Invalid or expired QR code',
        refused
          ? whoseItIs(refused)
          : replaced
            ? replacedCard(replaced)
            : guest_refused
              ? named(guest_refused, GUEST_REASONS[guest_refused.reason])
              : ASK_AGAIN,
      );
      return;
    }
    playFeedback('accepted');
    toast.success(`Found: ${customer.first_name} ${customer.last_name}`, { nextPage: true, oneLine: true });
    const { first_name, last_name, tier } = customer;
    if (!guest_glass_id) {
      queueStore.noteBalance(customer.id, customer.pours_balance, Date.now(), {
        first_name,
        last_name,
        tier,
      });
      void queries.prefetchQuery(barCardQuery(customer.id));
    }
    await navigate({
      to: '/staff/customers/$id/add-pour',
      params: { id: customer.id },
      state: { customer, scanned: true, paper_card_id, guest_glass_id },
    });
  };
  const onError = (error: unknown) => {
    logFailure('Verifying a code', error);
    refuse('Failed to verify QR code', { description: serverMessage(error) ?? whatToDo(error), of: error });
  };
  const refuse = (title: string, options: ToastOptions) => {
    playFeedback('refused');
    toast.error(title, options);
    onRefused(options);
  };
  const named = (
    holder: Pick<RefusedHolder, 'id' | 'first_name' | 'last_name'>,
    reason: string | null,
  ): ToastOptions => ({
    description: `${holder.first_name} ${holder.last_name}${reason ? `: ${reason}` : ''}`,
    action: {
      label: 'View Customer',
      onClick: () => void navigate({ to: '/staff/customers/$id', params: { id: holder.id } }),
    },
    duration: 20_000,
  });
  const whoseItIs = (holder: RefusedHolder) => {
    const reason = noAccessReason(holder);
    const back = holder.pours_return_on && `, back on ${dateOfDay(holder.pours_return_on)}`;
    return named(holder, reason && `${reason}${back ?? ''}`);
  };
  const replacedCard = (holder: ReplacedHolder) =>
    named(holder, `this printed card was replaced on ${dateOfInstant(holder.replaced_at)}`);
  /** Several codes are readings of one: the first that the server knows counts. */
  const verify = (...codes: string[]) => {
    const tokens = codes.map((code) => cleanCode(code) || code.trim()).filter((code) => code !== '');
    if (tokens.length > 0) void send(() => open(tokens), onError);
  };
  return { verify, verifying: busy };
}

async function verifyFirst([token = '', ...others]: string[]): Promise<Verification> {
  const answer = await api.functions.verifyQrToken({ token }, inTime());
  const isUnknown = !answer.valid && !answer.refused && !answer.replaced && !answer.guest_refused;
  return isUnknown && others.length > 0 ? verifyFirst(others) : answer;
}

function whatToDo(error: unknown): string | undefined {
  if (!isOnline()) return 'You’re offline. Cards can only be verified online.';
  // With a status, our server has answered.
  return isApiError(error) ? undefined : 'No answer from our server. Check the connection, then scan again.';
}
