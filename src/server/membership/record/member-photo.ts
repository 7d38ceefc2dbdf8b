import type { PictureFile } from '../../../contract/pictures/picture.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { PHOTO_SHAPE } from '../../../domain/picture.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Db, Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { customers, member_photo } from '../../db/schema.ts';
import { type EncodedPicture, encodePicture } from '../../pictures/encode-picture.ts';
import { KEPT_A_DAY, pictureFile } from '../../pictures/picture-file.ts';
import type { MembershipContext } from '../membership-context.ts';
import { holdMember, holdUser } from './locks.ts';

const SERVED = { name: 'photo.webp', type: 'image/webp', kept: KEPT_A_DAY } as const;

type OfMember = { customer_id: string };
/** Base64. */
type Upload = { content: string };
type Asked = { v?: string | undefined };

async function readPhoto(db: Db, user_id: string, { v }: Asked): Promise<PictureFile> {
  const { content, version } = member_photo;
  const [photo] = await db
    .select({ content, version })
    .from(member_photo)
    .where(eq(member_photo.user_id, user_id));
  if (!photo) throw new Refusal('NOT_FOUND', { what: 'photo' });
  return pictureFile(photo, v, SERVED);
}

async function storePhoto(
  { now }: MembershipContext,
  tx: Tx,
  photo: EncodedPicture & { user_id: string; set_by_staff_id: string | null },
): Promise<void> {
  const values = { ...photo, set_at: now() };
  await tx
    .insert(member_photo)
    .values(values)
    .onConflictDoUpdate({ target: member_photo.user_id, set: values });
}

/** The actor's photo. Throws Refusal NOT_FOUND. */
export const getOwnPhoto = ({ db, actor }: MembershipContext, request: Asked) =>
  readPhoto(db, actor.user_id, request);

/**
 * Replaces the actor's photo. The transaction begins after the encoding, so that none waits for it. Throws Refusal
 * PICTURE_REFUSED, TOO_MANY_ATTEMPTS.
 */
export async function saveOwnPhoto(ctx: MembershipContext, { content }: Upload): Promise<{ photo: string }> {
  const picture = await encodePicture(content, PHOTO_SHAPE);
  const { user_id } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    await holdUser(tx, user_id, 'share');
    await storePhoto(ctx, tx, { ...picture, user_id, set_by_staff_id: null });
  });
  return { photo: picture.version };
}

/** Removes the actor's photo; repeating it changes nothing. */
export async function removeOwnPhoto({ db, actor }: MembershipContext): Promise<{ removed: true }> {
  await db.delete(member_photo).where(eq(member_photo.user_id, actor.user_id));
  return { removed: true };
}

/** A member's photo, for staff. Throws Refusal NOT_FOUND. */
export async function getMemberPhoto(
  { db }: MembershipContext,
  { customer_id, v }: OfMember & Asked,
): Promise<PictureFile> {
  const [member] = await db
    .select({ user_id: customers.user_id })
    .from(customers)
    .where(eq(customers.id, customer_id));
  if (!member) throw new Refusal('NOT_FOUND', { what: 'photo' });
  return readPhoto(db, member.user_id, { v });
}

/**
 * Replaces a member's photo, by staff. Repeating it changes nothing. Throws Refusal NOT_FOUND, PICTURE_REFUSED,
 * TOO_MANY_ATTEMPTS.
 */
export async function saveMemberPhoto(
  ctx: MembershipContext,
  { customer_id, content }: OfMember & Upload,
): Promise<{ photo: string }> {
  const picture = await encodePicture(content, PHOTO_SHAPE);
  await ctx.db.transaction(async (tx) => {
    const user_id = await holdMember(tx, customer_id);
    const [before] = await tx
      .select({ version: member_photo.version })
      .from(member_photo)
      .where(eq(member_photo.user_id, user_id));
    if (before?.version === picture.version) return;
    await storePhoto(ctx, tx, { ...picture, user_id, set_by_staff_id: ctx.actor.user_id });
    await recordAudit(tx, ctx, { act: 'photo_saved', subject_id: user_id, facts: {} });
  });
  return { photo: picture.version };
}

/** Removes a member's photo, by staff; repeating it changes nothing. Throws Refusal NOT_FOUND. */
export async function removeMemberPhoto(
  ctx: MembershipContext,
  { customer_id }: OfMember,
): Promise<{ removed: true }> {
  await ctx.db.transaction(async (tx) => {
    const user_id = await holdMember(tx, customer_id);
    const rows = await tx
      .delete(member_photo)
      .where(eq(member_photo.user_id, user_id))
      .returning({ user_id: member_photo.user_id });
    if (rows.length === 0) return;
    await recordAudit(tx, ctx, { act: 'photo_removed', subject_id: user_id, facts: {} });
  });
  return { removed: true };
}
