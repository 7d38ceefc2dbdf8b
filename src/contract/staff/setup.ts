import { z } from 'zod';
import { GET, POST } from '../base.ts';
import { email, newPassword } from '../forms/credentials.ts';
import { personName } from '../forms/person.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { clubValues } from './club.ts';

const code = text(100);

export const setUpClubInput = z.strictObject({
  code,
  first_name: personName,
  last_name: personName,
  email,
  password: newPassword,
  club_name: clubValues.club_name,
  time_zone: clubValues.time_zone,
});

const finding = z.object({
  /** attention: the server cannot judge it, so a person must look. */
  health: z.enum(['well', 'attention', 'failing']),
  about: z.string(),
  text: z.string(),
  /** Whether setting up payments would repair it. */
  setup: z.literal(true).optional(),
});
export type PaymentFinding = z.infer<typeof finding>;

const plannedStep = z.object({
  /** unread: the state at Stripe could not be read; the text says why. */
  outcome: z.enum(['make', 'change', 'unchanged', 'unread']),
  text: z.string(),
});
export type PaymentPlanStep = z.infer<typeof plannedStep>;

const doneStep = z.object({
  outcome: z.enum(['made', 'changed', 'unchanged', 'failed']),
  text: z.string(),
});
export type PaymentSetupStep = z.infer<typeof doneStep>;

const triedLine = z.object({
  /** differs: Stripe's response does not match what is expected. unanswered: Stripe could not be reached. */
  verdict: z.enum(['ok', 'differs', 'refused', 'unanswered']),
  about: z.string(),
  text: z.string(),
});
export type PaymentTrialLine = z.infer<typeof triedLine>;

const linkRefusals = refusals('NOT_FOUND', 'LINK_INVALID');

/** The first start of a club and the remaining tasks. docs/rules/staff.md, "First start". */
export const setup = {
  read: POST('/setup/read', {
    summary: 'Open the set-up page',
    description: 'What it begins with. NOT_FOUND for good once a staff account exists.',
  })
    .input(z.strictObject({ code }))
    .errors(linkRefusals)
    .output(z.object({ club_name: z.string(), time_zone: z.string() })),
  create: POST('/setup', {
    summary: 'Set up the club',
    description: 'Makes the first staff account and names the club. It signs nobody in.',
    successStatus: 201,
  })
    .input(setUpClubInput)
    .errors({ ...linkRefusals, ...refusals('PASSWORD_COMMON', 'PASSWORD_PERSONAL') })
    .output(
      z.object({
        email: z.string(),
      }),
    ),
  checkPayments: POST('/setup/payments-check', {
    summary: 'Check Stripe',
    description: 'The same as `cellar-door stripe check`: each line is right, wrong, or needs a look.',
  })
    .errors(refusals('PAYMENTS_OFF', 'PAYMENTS_UNAVAILABLE'))
    .output(z.object({ mode: z.string(), findings: z.array(finding) })),
  planPayments: POST('/setup/payments-plan', {
    summary: 'List what setting up the payments would do',
    description: 'Each thing that would be made or changed at Stripe. It changes nothing.',
  })
    .errors(refusals('PAYMENTS_OFF', 'PAYMENTS_UNAVAILABLE'))
    .output(
      z.object({
        mode: z.string(),
        steps: z.array(plannedStep),
        plan: z.string(),
      }),
    ),
  setUpPayments: POST('/setup/payments', {
    summary: 'Set up the payments',
    description:
      'Makes and changes at Stripe what `plan` listed, and nothing where it would be something else by now. Again, it changes nothing. The signing secret of a new webhook endpoint is kept by the server and never sent. Then tries Stripe out, as `cellar-door stripe smoke` does; what Stripe refuses closes joining until a try-out without a refusal.',
  })
    .input(z.strictObject({ plan: text(32).regex(/^[0-9a-f]{32}$/) }))
    .errors(refusals('PAYMENTS_OFF', 'PAYMENTS_UNAVAILABLE', 'SETUP_CHANGED'))
    .output(
      z.object({
        mode: z.string(),
        steps: z.array(doneStep),
        /** Empty if a step failed. */
        tried: z.array(triedLine),
        /** Joining and giving gifts by card are closed. */
        closed: z.boolean(),
      }),
    ),
  listTodo: GET('/setup/todo', { summary: 'List what a new club still lacks' }).output(
    z.object({
      /** The caller signs in with the password alone. */
      two_factor: z.boolean(),
      /** No tier has been changed yet. */
      tiers: z.boolean(),
      /** No webhook from Stripe has arrived yet. */
      payments: z.boolean(),
      /** No other staff exist or are invited. */
      team: z.boolean(),
      /** No mail server is configured. */
      email: z.boolean(),
    }),
  ),
};
