import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouteContext } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import * as z from 'zod/mini';
import { personName, phoneNumber } from '../../../contract/forms/person.ts';
import type { Profile } from '../../../contract/members.ts';
import { EmailStatus } from '../../account/email/email-status.tsx';
import { PhotoPicker } from '../../account/photo-picker.tsx';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { useTwoFactor } from '../../account/use-two-factor.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { ownPhotoUrl } from '../../api/pictures/picture-urls.ts';
import { forgetSession, type SessionUser } from '../../api/session.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { SupportLink } from '../../brand/support-link.tsx';
import { dateOfDay } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardGroup } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Portrait } from '../../ui/picture/portrait.tsx';
import { RowLink, RowList } from '../../ui/row-link.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useInlineForm } from '../../ui/use-inline-form.ts';
import { BillingCard } from '../billing/billing-card.tsx';
import { useUpcomingChange } from '../billing/upcoming-change.ts';
import { OwnBenefits } from '../own-benefits.tsx';
import { ACCOUNT_PAGES, AccountShell } from './account-shell.tsx';

export default function AccountPage() {
  const { user } = useRouteContext({ from: '/_member' });
  const query = useQuery(orpc.members.getOwn.queryOptions());
  const household = query.data?.household;
  const tierLabel = useTierLabel();
  const change = useUpcomingChange(household, query.data?.ends, query.data?.dues);
  const partnerOf = household?.role === 'partner' ? household.first_name : null;
  return (
    <AccountShell title="Account Settings">
      <Loaded query={query} card="Profile" lines={5} failed="We couldn’t load your account">
        {(me) => (
          <>
            <CardGroup>
              <ProfileCard profile={me.profile} photo={me.photo} user={user} />
              <Card title="Membership">
                {me.customer ? (
                  <DescriptionList
                    dense
                    items={[
                      { term: 'Tier', detail: tierLabel(me.customer.tier) },
                      { term: 'Member Since', detail: dateOfDay(me.customer.member_since) },
                      ...(partnerOf
                        ? [{ term: 'Shared Membership', detail: <SharedBy name={partnerOf} /> }]
                        : []),
                      // The end of a subscription is part of its billing, below.
                      ...(change && (partnerOf || me.ends)
                        ? [
                            me.ends?.is_gift
                              ? { term: 'Gift', detail: `Through ${dateOfDay(me.ends.last_day)}` }
                              : { term: 'Coming Up', detail: change },
                          ]
                        : []),
                    ]}
                  />
                ) : (
                  <div className="flex flex-wrap items-center justify-between gap-4">
                    <p className="text-ink-muted">You are not a member yet.</p>
                    <LinkButton to="/apply" variant="secondary">
                      Choose a Membership
                    </LinkButton>
                  </div>
                )}
              </Card>
              <OwnBenefits benefits={me.benefits} />
              {me.customer && !partnerOf && (
                <BillingCard
                  active={me.customer.status === 'active'}
                  tier={me.customer.tier}
                  ends={me.ends}
                  dues={me.dues}
                  tiersUp={me.tiers_up}
                  pours={me.pours}
                  ifCanceled={me.if_canceled}
                  partner={me.household?.first_name}
                />
              )}
            </CardGroup>
            <AccountRows />
          </>
        )}
      </Loaded>
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-ink-muted text-sm">
          Questions? Write to <SupportLink />
        </p>
        <SignOutButton variant="secondary" />
      </footer>
    </AccountShell>
  );
}

/** A partner pays nothing, and cannot change the membership, only leave it. */
function SharedBy({ name }: { name: string }) {
  return (
    <>
      You share {name}’s membership.{' '}
      <Link to="/household" className="link">
        Household
      </Link>
    </>
  );
}

/** A row for each page of the account: on phones, in place of the desktop's rail. */
function AccountRows() {
  const twoFactor = useTwoFactor();
  return (
    <RowList label="Account" className="lg:hidden">
      {ACCOUNT_PAGES.filter(({ to }) => to !== '/account').map(({ to, label, icon }) => (
        <RowLink
          key={to}
          to={to}
          icon={icon}
          title={label}
          aside={
            to === '/account/security' && twoFactor !== undefined
              ? `Two-step sign-in is ${twoFactor ? 'on' : 'off'}`
              : undefined
          }
        />
      ))}
    </RowList>
  );
}

interface ProfileCardProps {
  profile: Profile;
  /** The version of the photo. */
  photo: string | null;
  user: SessionUser;
}

function ProfileCard({ profile, photo, user }: ProfileCardProps) {
  const form = useInlineForm();
  const src = ownPhotoUrl(photo);
  const { first_name, last_name } = profile;

  return (
    <Card
      title="Profile"
      aside={
        !form.isOpen && (
          <Button ref={form.button} variant="quiet" size="sm" onClick={form.open}>
            Edit Profile
          </Button>
        )
      }
    >
      {form.isOpen ? (
        <div className="flex flex-col gap-6">
          <ProfileForm profile={profile} onDone={form.close} />
          <OwnPhoto src={src} first_name={first_name} last_name={last_name} />
        </div>
      ) : (
        <DescriptionList
          dense
          items={[
            {
              term: 'Name',
              detail: (
                <span className="flex items-center justify-end gap-3">
                  {src && <Portrait src={src} {...{ first_name, last_name }} className="size-10 text-base" />}
                  {first_name} {last_name}
                </span>
              ),
            },
            { term: 'Email', detail: <EmailStatus user={{ ...user, email: profile.email }} /> },
            ...(profile.phone ? [{ term: 'Phone', detail: profile.phone }] : []),
          ]}
        />
      )}
    </Card>
  );
}

interface OwnPhotoProps {
  src: string | null;
  first_name: string;
  last_name: string;
}

function OwnPhoto(props: OwnPhotoProps) {
  const client = useQueryClient();
  return (
    <PhotoPicker
      {...props}
      save={(upload) => api.photos.saveOwn(upload)}
      remove={() => api.photos.removeOwn()}
      onChanged={() => client.invalidateQueries({ queryKey: orpc.members.key() })}
    >
      By adding a photo, you agree that our staff see it with your name, so they recognize you. Nobody else
      sees it, and you can remove it at any time.
    </PhotoPicker>
  );
}

function ProfileForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    fields: { first_name: personName, last_name: personName, phone: z.nullable(phoneNumber) },
    values: {
      first_name: profile.first_name,
      last_name: profile.last_name,
      phone: profile.phone ?? '',
    },
    onSubmit: async (input) => {
      const profile = await api.profile.update(input);
      client.setQueryData(orpc.members.getOwn.queryKey(), (me) => me && { ...me, profile });
      forgetSession();
      toast.success('Profile saved');
      onDone();
    },
    onError: (error) => serverMessage(error) ?? 'Nothing was changed. Please try again.',
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !form.busy) onDone();
  };

  return (
    <form {...form.props} aria-label="Profile" onKeyDown={onKeyDown} className="flex flex-col gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField label="First Name" autoComplete="given-name" autoFocus {...form.field('first_name')} />
        <TextField label="Last Name" autoComplete="family-name" {...form.field('last_name')} />
      </div>
      <TextField label="Phone" type="tel" autoComplete="tel" {...form.field('phone')} />
      <p className="text-ink-muted text-sm">
        You sign in with {profile.email}. To change your email, go to{' '}
        <Link to="/account/security" className="link">
          Security
        </Link>
        .
      </p>
      <FormError of={form.failure} title="We couldn’t save your profile" />
      <FormButtons busy={form.busy} busyLabel="Saving..." onCancel={onDone}>
        Save
      </FormButtons>
    </form>
  );
}
