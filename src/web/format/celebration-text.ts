import type { Celebrated } from '../../contract/members.ts';
import { pourCount } from '../../domain/pour.ts';

const years = (count: number | null) => (count === 1 ? '1 year' : `${count} years`);

export function celebrationForStaff({ kind, years: full, glasses }: Celebrated): string {
  const occasion = {
    birthday: 'Birthday today',
    anniversary: `${years(full)} a member today`,
    hundredth: '100th glass today',
  }[kind];
  return glasses > 0 ? `${occasion}, ${onTheHouse(glasses)}` : occasion;
}

const onTheHouse = (glasses: number) => `${pourCount(glasses)} on the house`;

export function celebrationForMember({ kind, years: full, glasses }: Celebrated): {
  title: string;
  text: string;
} {
  const words = {
    birthday: { title: 'Happy birthday!', text: 'We hope to raise a glass with you.' },
    anniversary: {
      title: `${years(full)} with us today`,
      text: 'Thank you for being a member.',
    },
    hundredth: { title: 'Your hundredth glass', text: 'Thank you for every one of them.' },
  }[kind];
  const addition = glasses > 0 ? ` ${onTheHouse(glasses)}, added to this month’s.` : '';
  return { title: words.title, text: `${words.text}${addition}` };
}
