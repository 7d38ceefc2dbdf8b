import { RATING_MAX, type SurveyRating } from '../../../domain/application.ts';

export interface Question {
  rating: SurveyRating;
  label: string;
  lowLabel: string;
  highLabel: string;
  /** The color of the small glass's content. */
  drink: 'brass' | 'red' | 'white';
  /** The answer in words, from the lowest fifth to the highest. */
  words: readonly [string, string, string, string, string];
}

export const QUESTIONS: readonly Question[] = [
  {
    rating: 'wine_knowledge',
    label: 'How would you rate your wine knowledge?',
    lowLabel: 'Beginner',
    highLabel: 'Expert',
    drink: 'brass',
    words: [
      'Red, white, and the rest is a mystery.',
      'A few names, and what to avoid.',
      'At home on most wine lists.',
      'Friends hand you the list.',
      'You know which side of the hill it grew on.',
    ],
  },
  {
    rating: 'drinking_frequency',
    label: 'How often do you enjoy wine?',
    lowLabel: 'Rarely',
    highLabel: 'Very often',
    drink: 'red',
    words: [
      'When there is something to celebrate.',
      'Now and then, in good company.',
      'Most weekends.',
      'A glass with a good dinner, most weeks.',
      'An evening without a glass is half an evening.',
    ],
  },
  {
    rating: 'red_wine_preference',
    label: 'How much do you enjoy red wines?',
    lowLabel: 'Not for me',
    highLabel: 'Love them',
    drink: 'red',
    words: [
      'Someone else may have that glass.',
      'A light one, perhaps.',
      'With the right dish, gladly.',
      'It’s the first page you turn to.',
      'The darker, the better.',
    ],
  },
  {
    rating: 'white_wine_preference',
    label: 'How much do you enjoy white wines?',
    lowLabel: 'Not for me',
    highLabel: 'Love them',
    drink: 'white',
    words: [
      'Only when nothing else is open.',
      'On a very warm day.',
      'Crisp and cold, why not.',
      'There is always one in the fridge.',
      'From flint to honey, all of them.',
    ],
  },
  {
    rating: 'adventurousness',
    label: 'How adventurous are you in trying new wines?',
    lowLabel: 'I know what I like',
    highLabel: 'Surprise me',
    drink: 'brass',
    words: [
      'The usual, please.',
      'A small step to the left of the usual.',
      'Curious, with a safety net.',
      'The odd bottle at the end of the list.',
      'Orange, from an island, under flor? Pour.',
    ],
  },
];

export function inWords(question: Question, value: number): string {
  const fifth = Math.ceil((value / RATING_MAX) * question.words.length) - 1;
  return question.words[Math.min(Math.max(fifth, 0), question.words.length - 1)] ?? '';
}
