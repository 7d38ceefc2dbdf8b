import type { MemberPalate } from '../../contract/wine/ratings.ts';
import type { Kind, Verdict } from '../../domain/taste.ts';

type Reason = MemberPalate['suggestions'][number]['reason'];

export const KIND_LABELS: Record<Kind, string> = {
  red: 'Reds',
  white: 'Whites',
  rose: 'Rosés',
  orange: 'Orange wines',
  sparkling: 'Sparkling wines',
  fortified: 'Fortified wines',
  sweet: 'Sweet wines',
  full: 'Full-bodied wines',
  light: 'Light wines',
  tannic: 'Tannic wines',
  crisp: 'Crisp wines',
};

export function reasonForMember(reason: Reason): string {
  switch (reason.because) {
    case 'your_word': {
      const kind = KIND_LABELS[reason.kind].toLowerCase();
      return reason.stance === 'like' ? `You told us you like ${kind}` : `You said no to ${kind}`;
    }
    case 'loved':
      return `Because you loved the ${reason.wine}`;
    case 'not_mine':
      return `You didn’t like the ${reason.wine}`;
    case 'survey':
      return `Because you like ${KIND_LABELS[reason.color].toLowerCase()}`;
    case 'new':
      return 'Something new for you';
  }
}

export function reasonForStaff(reason: Reason): string {
  switch (reason.because) {
    case 'your_word':
      return `They like ${KIND_LABELS[reason.kind].toLowerCase()}`;
    case 'loved':
      return `They loved the ${reason.wine}`;
    case 'not_mine':
      return `Didn’t like the ${reason.wine}`;
    case 'survey':
      return `Prefers ${KIND_LABELS[reason.color].toLowerCase()}`;
    case 'new':
      return 'New to them, and they like to try';
  }
}

const VERDICT_TEXT: Record<Verdict, string> = { loved: 'Loved', fine: 'Fine:', not_mine: 'Not theirs:' };

export function verdictText(verdict: Verdict, wine: string, comment: string | null): string {
  return `${VERDICT_TEXT[verdict]} the ${wine}${comment ? `, “${comment}”` : ''}`;
}
