import sharp from 'sharp';
import type { Caller } from '../../tests/support/harness/caller.ts';

const FACE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256">
<rect width="256" height="256" fill="#c9d6d8"/>
<path d="M76 118c-6-62 30-86 62-82 40 4 54 40 46 90z" fill="#4a2f23"/>
<ellipse cx="130" cy="118" rx="46" ry="58" fill="#e6b899"/>
<path d="M82 100c20-6 40-22 52-40 8 22 24 34 44 38-2-40-24-56-48-56s-50 20-48 58z" fill="#4a2f23"/>
<path d="M110 112h8m26 0h8M116 146q15 12 30 0" stroke="#5a3322" stroke-width="6" stroke-linecap="round" fill="none"/>
<path d="M30 256c6-54 50-76 100-76s94 22 100 76z" fill="#2e4a62"/></svg>`;
const bottle = (
  glass: string,
  label: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 320">
<path d="M104 8h32v84c0 24 28 30 28 66v142q0 12-12 12H88q-12 0-12-12V158c0-36 28-42 28-66z" fill="${glass}"/>
<rect x="100" y="4" width="40" height="46" rx="4" fill="${label}"/>
<rect x="76" y="190" width="88" height="80" fill="#f3ead9"/>
<path d="M90 212h60M96 230h48M104 248h32" stroke="${label}" stroke-width="5"/></svg>`;

const drawn = async (svg: string) => ({
  content: (await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64'),
});

export async function hangPictures({ member, staff }: { member: Caller; staff: Caller }): Promise<void> {
  // Drawn before any upload: once the server has decoded one, sharp no longer reads SVG.
  const face = await drawn(FACE);
  const bottles = [await drawn(bottle('#22352a', '#7a1f31')), await drawn(bottle('#5c1a2b', '#a8842f'))];
  await member.must('PUT', '/api/profile/photo', { ...face, agreed: true });
  const wines = await staff.must<{ id: string; color: string }[]>('GET', '/api/wines');
  for (const [at, { id }] of wines.filter(({ color }) => color === 'red').entries()) {
    await staff.must('PUT', `/api/wines/${id}/picture`, bottles[at % bottles.length]);
  }
}
