import { eq, type SQL, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { WEBHOOK_EVENTS } from '../../src/domain/staff/webhook.ts';
import {
  api_clients,
  bottle,
  member_note_version,
  tag,
  tier_definitions,
  webhook_endpoint,
} from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { applied, venueMember } from '../support/fixtures/members.ts';
import { aWine } from '../support/fixtures/wines.ts';
import { PASSWORD } from '../support/harness/app.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

// Two calls that have both begun before either decides: the second sees what the first did.

const { app, staff } = await openRaceApp();
const { db, newId } = app.services;

interface Pair {
  /** Held until both calls wait for it. */
  held: SQL;
  calls: (() => Promise<{ status: number; body: { code?: string } }>)[];
  /** The code of each refusal, and the status of each success. */
  answers: unknown[];
  left?: () => Promise<unknown>;
}

const lockOf = (name: string) => sql`select pg_advisory_xact_lock(hashtext(${name}))`;
const twice = (call: () => ReturnType<Pair['calls'][0]>) => [call, call];
const rowOf = (table: string, id: string) =>
  sql`select from ${sql.identifier(table)} where id = ${id}::uuid for no key update`;

const PAIRS: Record<string, () => Promise<Pair>> = {
  'changes of the settings': async () => {
    const { version } = await staff.must<{ version: number }>('PATCH', '/api/club-settings', {
      version: 0,
      changes: { minimum_age: 19 },
      reset: [],
    });
    const save = { version, changes: { minimum_age: 18 }, reset: [] };
    return {
      held: sql`select from club_settings for update`,
      calls: twice(() => staff.call('PATCH', '/api/club-settings', save)),
      answers: [200, 'SETTINGS_CHANGED'],
    };
  },
  'wordings of one email': async () => {
    const wording = { subject: 'Welcome', opening: '', closing: '' };
    await staff.must('PUT', '/api/emails/welcome', { version: 0, wording });
    const save = { version: 1, wording: { ...wording, subject: 'Hello' } };
    return {
      held: sql`select from email_wording for update`,
      calls: twice(() => staff.call('PUT', '/api/emails/welcome', save)),
      answers: [200, 'SETTINGS_CHANGED'],
    };
  },
  'wines of one name': async () => ({
    held: lockOf('wines of the venue'),
    calls: twice(() => staff.call('POST', '/api/wines', { ...aWine(), name: 'Gavi' })),
    answers: [201, 'WINE_LISTED'],
  }),
  'bottles opened of one wine': async () => {
    const { id } = await staff.must<{ id: string }>('POST', '/api/wines', aWine());
    return {
      held: rowOf('wine', id),
      calls: twice(() => staff.call('POST', `/api/wines/${id}/bottles`, { instead_of: null })),
      answers: [201, 201],
      left: async () => expect(await db.$count(bottle, eq(bottle.wine_id, id))).toBe(1),
    };
  },
  'API clients, of which an account may have ten': async () => {
    const client = { user_id: staff.id, name: 'Till', secret_hash: 'x', scopes: [], created_at: new Date() };
    await db.insert(api_clients).values(Array.from({ length: 9 }, () => ({ ...client, id: newId() })));
    return {
      held: rowOf('profiles', staff.id),
      calls: twice(() => staff.call('POST', '/api/api-clients', { name: 'Till', password: PASSWORD })),
      answers: [200, 'TOO_MANY_API_CLIENTS'],
    };
  },
  'webhooks, of which a venue may have ten': async () => {
    const url = 'https://9.9.9.9/';
    const webhook = { url, description: '', events: [], secret: 'x', created_at: new Date() };
    await db.insert(webhook_endpoint).values(Array.from({ length: 9 }, () => ({ ...webhook, id: newId() })));
    const draft = { url, description: '', events: [WEBHOOK_EVENTS[0]] };
    return {
      held: sql`lock table webhook_endpoint in share row exclusive mode`,
      calls: twice(() => staff.call('POST', '/api/webhooks', draft)),
      answers: [201, 'TOO_MANY_WEBHOOKS'],
    };
  },
  'changes of one member’s name': async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const path = `/api/customers/${customer_id}/account`;
    const { version } = await staff.must<{ version: string }>('GET', path);
    const names = ['Ida', 'Eva'].map((first_name) => ({
      version,
      first_name,
      last_name: 'Vine',
      phone: null,
    }));
    return {
      held: rowOf('profiles', caller.id),
      calls: names.map((draft) => () => staff.call('PUT', path, draft)),
      answers: [200, 'MEMBER_CHANGED'],
    };
  },
  'texts of one note': async () => {
    const { customer_id } = await venueMember(app, staff);
    const note = await staff.must<{ id: string }>('POST', `/api/customers/${customer_id}/notes`, {
      body: 'a',
    });
    return {
      held: rowOf('member_note', note.id),
      calls: ['b', 'c'].map((body) => () => staff.call('PUT', `/api/notes/${note.id}`, { body })),
      answers: [200, 200],
      left: async () =>
        expect(await db.$count(member_note_version, eq(member_note_version.note_id, note.id))).toBe(3),
    };
  },
  'members who get the same new tag': async () => {
    const members = [await venueMember(app, staff), await venueMember(app, staff)];
    return {
      held: lockOf('tags of the venue'),
      calls: members.map(
        (it) => () => staff.call('POST', `/api/customers/${it.customer_id}/tags`, { label: 'Regular' }),
      ),
      answers: [201, 201],
      left: async () => expect(await db.$count(tag)).toBe(1),
    };
  },
  'reviews of one application': async () => {
    const id = await applied(await app.customer());
    const path = `/api/applications/${id}`;
    return {
      held: rowOf('membership_applications', id),
      calls: [
        () => staff.call('POST', `${path}/approve`, { toast_reference_number: 'T-1' }),
        () => staff.call('POST', `${path}/reject`, {}),
      ],
      answers: [200, 'APPLICATION_NOT_PENDING'],
    };
  },
  'corrections that take back the last pours': async () => {
    const { customer_id } = await venueMember(app, staff);
    const draft = () => ({ request_id: newId(), kind: 'correction', glasses: -3, reason: 'A mistake' });
    return {
      held: rowOf('customers', customer_id),
      calls: twice(() => staff.call('POST', `/api/customers/${customer_id}/glasses`, draft())),
      answers: [201, 'POURS_EXCEEDED'],
    };
  },
  'sign-ups of one person at the bar': async () => {
    const person = { user_id: (await app.customer()).id };
    const draft = { person, tier: 'select', toast_reference_number: 'T-1' };
    return {
      held: rowOf('profiles', person.user_id),
      calls: twice(() => staff.call('POST', '/api/bar-sign-ups', draft)),
      answers: [201, 'ALREADY_MEMBER'],
    };
  },
  'tiers that are the last on offer': async () => {
    const all = await db.select().from(tier_definitions).where(eq(tier_definitions.is_active, true));
    const names = all.map((it) => it.tier_name);
    for (const name of names.slice(2))
      await staff.must('PUT', `/api/tier-settings/${name}/offer`, { on_offer: false });
    return {
      held: sql`select from tier_definitions for update`,
      calls: names
        .slice(0, 2)
        .map((name) => () => staff.call('PUT', `/api/tier-settings/${name}/offer`, { on_offer: false })),
      answers: [200, 'TIER_SETTING_REFUSED'],
    };
  },
};

it.each(Object.entries(PAIRS))('of two %s at once, each is decided after the other', async (_, prepare) => {
  const { held, calls, answers, left } = await prepare();
  const { sent } = await db.transaction(async (tx) => {
    await tx.execute(held);
    const sent = calls.map((call) => call());
    await untilBlocked(db, 2);
    // Wrapped in an object, so that the transaction does not wait for the calls.
    return { sent };
  });
  const outcomes = (await Promise.all(sent)).map(({ status, body }) => body.code ?? status);
  expect(outcomes.map(String).sort()).toEqual(answers.map(String).sort());
  await left?.();
});
