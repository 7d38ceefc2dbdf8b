import { useQuery, useQueryClient } from '@tanstack/react-query';
import Wine from 'lucide-react/icons/wine';
import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import { PhotoPicker } from '../../account/photo-picker.tsx';
import { api, orpc } from '../../api/client.ts';
import { memberPhotoUrl } from '../../api/pictures/picture-urls.ts';
import { TierBadge } from '../../brand/tier-badge.tsx';
import { monthOfDay } from '../../format/dates.ts';
import { grantsAtBar } from '../../format/grants-at-bar.ts';
import { noAccessReason, poursReturnText } from '../../format/standing-labels.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { StatTile } from '../../ui/stat-tile.tsx';
import { useLogged } from '../../ui/use-logged.ts';
import { DuesCard } from '../dues/dues-card.tsx';
import { AccountCard } from '../member-account/account-card.tsx';
import { AboutCard } from '../record/about-card.tsx';
import { EndButton, EndNotice } from '../record/end-controls.tsx';
import { GiftsCard } from '../record/gifts-card.tsx';
import { GiveGlassesButton } from '../record/give-glasses-button.tsx';
import { NotesCard } from '../record/notes-card.tsx';
import { PauseControls } from '../record/pause-controls.tsx';
import { PaymentsCard } from '../record/payments-card.tsx';
import { TagsCard } from '../record/tags-card.tsx';
import { TimelineCard } from '../record/timeline-card.tsx';
import { useManagesMembers, useMay, useMemberRecord } from '../record/use-member-record.ts';
import { useTablet } from '../tablet/use-tablet.ts';
import { MembershipStatusCard } from './membership-status-card.tsx';
import { PourHistoryCard } from './pour-history-card.tsx';

export function CustomerContact({ member: { customer, profile, former } }: { member: MemberDetail }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <TierBadge tier={customer.tier} />
      {former ? (
        'This account was deleted'
      ) : (
        <a href={`mailto:${profile.email}`} className="link">
          {profile.email}
        </a>
      )}
      {profile.phone && (
        <a href={`tel:${profile.phone}`} className="link">
          {profile.phone}
        </a>
      )}
    </span>
  );
}

/** The data of a member below the name, on their page and beside the list. `id` is the id in the URL. */
export function CustomerBody({ id, member }: { id: string; member: MemberDetail }) {
  const { customer, profile, former, available_pours } = member;
  const { first_name, last_name } = profile;
  const manages = useManagesMembers();
  const office = useTablet() === null;
  const managesMoney = useMay('manage_money');
  const owns = member.household?.role !== 'partner';
  const pours = grantsAtBar(member.grants, available_pours);
  return (
    <>
      {available_pours < 1 && !former && (
        <Notice
          tone="info"
          title={noAccessReason(member) ? 'No pours' : 'No pours left in this billing period'}
        >
          {poursReturnText({ ...member, ends_at: null })}
        </Notice>
      )}
      <div className="@container">
        <div className="grid gap-5 @3xl:grid-cols-2 @3xl:grid-rows-[auto_1fr] @3xl:items-start">
          <div className="flex min-w-0 flex-col gap-5">
            {available_pours > 0 && (
              <LinkButton
                to="/staff/customers/$id/add-pour"
                params={{ id }}
                state={{
                  customer: {
                    id: customer.id,
                    first_name,
                    last_name,
                    tier: customer.tier,
                    pours_balance: available_pours,
                  },
                }}
                size="xl"
                block
                icon={<Wine size={28} />}
              >
                Record Pour
              </LinkButton>
            )}
            <MembershipStatusCard member={member} />
            <div className="@container">
              {/* "September 2026" does not wrap: its tile takes what it needs. */}
              <div className="grid grid-cols-2 gap-3 @lg:grid-cols-[1fr_1fr_auto]">
                <StatTile label="Available Pours" value={available_pours} className="justify-between" />
                <StatTile
                  label="Lifetime Pours"
                  value={customer.total_pours_lifetime}
                  className="justify-between"
                />
                <StatTile
                  label="Member Since"
                  value={
                    <span className="whitespace-nowrap text-lg">{monthOfDay(customer.member_since)}</span>
                  }
                  className="col-span-2 @lg:col-span-1"
                />
              </div>
              {pours && <p className="mt-2 text-ink-muted text-sm">Pours: {pours}</p>}
            </div>
            {!former && <Allergies customerId={customer.id} />}
            {office && member.has_preferences && <CustomerProfileCard customerId={customer.id} />}
            {manages && !former && (
              <div className="flex flex-wrap gap-3 empty:hidden">
                {!noAccessReason(member) && (
                  <GiveGlassesButton customerId={customer.id} available={available_pours} />
                )}
                {customer.status !== 'active' && owns && (
                  <>
                    <LinkButton
                      to="/staff/members/new"
                      search={{ person: customer.user_id }}
                      variant="secondary"
                    >
                      Start a Membership
                    </LinkButton>
                    <LinkButton
                      to="/staff/members/new"
                      search={{ person: customer.user_id, house: true }}
                      variant="secondary"
                    >
                      On the House
                    </LinkButton>
                  </>
                )}
                {owns && <PauseControls member={member} />}
                {owns && <EndButton member={member} />}
              </div>
            )}
            {manages && !former && owns && <EndNotice customerId={customer.id} />}
          </div>
          <div className="flex min-w-0 flex-col gap-5 @3xl:row-span-2">
            <DuesCard member={member} />
            <HistoryCard customerId={customer.id} />
            {managesMoney && <PaymentsCard member={member} />}
            {managesMoney && <GiftsCard member={member} />}
            {manages && !former && <AccountCard customerId={customer.id} userId={customer.user_id} />}
            {manages && !former && <MemberPhotoCard member={member} />}
          </div>
          {!former && (
            <div className="flex min-w-0 flex-col gap-5">
              <MemberRecordCards customerId={customer.id} />
            </div>
          )}
        </div>
      </div>
    </>
  );
}

function HistoryCard({ customerId }: { customerId: string }) {
  const [all, setAll] = useState(false);
  const office = useTablet() === null;
  const turn = office && (
    <Button variant="quiet" size="sm" onClick={() => setAll(!all)}>
      {all ? 'Only Pours' : 'Show Everything'}
    </Button>
  );
  const Shown = all ? TimelineCard : PourHistoryCard;
  return <Shown customerId={customerId} aside={turn} />;
}

/** A few sentences about the member's taste, written by a language model from their record on the server. */
function CustomerProfileCard({ customerId }: { customerId: string }) {
  const { data, error, isPending } = useQuery({
    ...orpc.functions.generateProfileSummary.queryOptions({ input: { customerId } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  useLogged('Loading the profile summary', error);
  const summary = data?.summary.trim();

  return (
    <Card title="Customer Profile">
      <div role="status" className="min-h-20">
        {summary ? (
          <p className="whitespace-pre-line">{summary}</p>
        ) : (
          <p className="text-ink-muted">
            {isPending ? 'Generating profile summary...' : 'No profile summary available'}
          </p>
        )}
      </div>
      <p className="mt-3 text-ink-muted text-xs">
        Response generated by AI, subject to mistakes - Feature in beta
      </p>
    </Card>
  );
}

/** What everyone who pours must know stands above all cards. */
function Allergies({ customerId }: { customerId: string }) {
  const { data } = useMemberRecord(customerId).query;
  const allergies = data?.about.allergies;
  if (!allergies) return null;
  return (
    <Notice tone="danger" title="Allergies">
      <span className="whitespace-pre-line wrap-anywhere">{allergies}</span>
    </Notice>
  );
}

function MemberRecordCards({ customerId }: { customerId: string }) {
  const manages = useManagesMembers();
  const { query, act } = useMemberRecord(customerId);
  return (
    <Loaded query={query} action="Loading notes and tags" card lines={6}>
      {(record) => {
        const parts = { customerId, record, act, manages };
        return (
          <>
            <AboutCard {...parts} />
            <NotesCard {...parts} />
            <TagsCard {...parts} />
          </>
        );
      }}
    </Loaded>
  );
}

function MemberPhotoCard({ member: { customer, profile, photo } }: { member: MemberDetail }) {
  const queries = useQueryClient();
  const { first_name, last_name } = profile;
  const customer_id = customer.id;
  return (
    <Card title="Photo">
      <PhotoPicker
        key={customer_id}
        src={memberPhotoUrl(customer_id, photo)}
        first_name={first_name}
        last_name={last_name}
        question="The member agreed to have a photo here"
        save={(upload) => api.photos.save({ customer_id, ...upload })}
        remove={() => api.photos.remove({ customer_id })}
        onChanged={() => queries.invalidateQueries({ queryKey: orpc.members.key() })}
      >
        Shown to staff at each scan. Ask the member first; they can remove it themselves, under Account.
      </PhotoPicker>
    </Card>
  );
}
