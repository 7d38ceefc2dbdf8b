/** Invented names whose first and last name go together, grouped by family origin. */
const FAMILIES: { first: string; last: string }[] = [
  { first: 'Amara Chidi Ngozi Emeka Ifeoma', last: 'Okonkwo Eze Nwosu Adeyemi Balogun' },
  { first: 'Yuki Haruto Sakura Kenji Akari', last: 'Nakamura Ishida Morimoto Kobayashi Hayashi' },
  { first: 'Lucía Mateo Valentina Andrés Ximena', last: 'Herrera Salgado Ibarra Quintero Montes' },
  { first: 'Astrid Henrik Freja Magnus Ingrid', last: 'Nygård Sørensen Dahl Bergström Holm' },
  { first: 'Priya Arjun Ananya Rohan Kavita', last: 'Raghavan Deshmukh Menon Banerjee Kulkarni' },
  { first: 'Siobhán Declan Niamh Cormac Aoife', last: 'Gallagher Ó Briain Kinsella Doyle Fitzgerald' },
  { first: 'Wei Mei Jian Lan Hao', last: 'Zhang Liang Ouyang Xu Deng' },
  { first: 'Camille Étienne Solène Bastien Margaux', last: 'Delacroix Lefèvre Rousseau Marchand Girard' },
  { first: 'Layla Omar Yasmin Karim Salma', last: 'Haddadin Mansour Khoury Nasser Barakat' },
  { first: 'Chiara Lorenzo Giulia Matteo Ornella', last: 'Bellini Moretti Conti Ferrara Galli' },
  { first: 'Min-jun Seo-yeon Ji-ho Ha-eun Do-yun', last: 'Kwon Baek Hwang Seo Moon' },
  { first: 'Zofia Tomasz Agnieszka Piotr Kasia', last: 'Wójcik Zieliński Nowicka Kaczmarek Dudek' },
  { first: 'Leilani Keoni Moana Sione Tāne', last: 'Kealoha Kahananui Tupou Parata Fonoti' },
  { first: 'Selin Emre Defne Kerem Elif', last: 'Yıldız Demirci Aksoy Şahin Korkmaz' },
  { first: 'Harriet Jasper Beatrice Rupert Imogen', last: 'Ashdown Whitlock Penrose Thackeray Marlowe' },
  { first: 'Thandiwe Sipho Nomsa Lwazi Zanele', last: 'Dlamini Mokoena Khumalo Ndlovu Sithole' },
  { first: 'Anneliese Jonas Friederike Lukas Wiebke', last: 'Brandt Vogelsang Kessler Hartmann Lorenz' },
  {
    first: 'Delphine Marcus Odessa Terrence Simone',
    last: 'Whitfield Broussard Baptiste Hollis Merriweather',
  },
];

const words = (text: string) =>
  text
    .replace('Ó ', 'Ó\u00a0')
    .split(' ')
    .map((it) => it.replace('\u00a0', ' '));

const COMBINATIONS = FAMILIES.flatMap(({ first, last }) =>
  words(first).map((name, place) => ({ name, lasts: words(last), place })),
);

/** The name for a number, unique for numbers below 450. */
export function fullName(number: number): { first: string; last: string } {
  const at = (number * 37) % COMBINATIONS.length;
  const round = Math.floor(number / COMBINATIONS.length);
  const { name, lasts, place } = COMBINATIONS[at] ?? { name: '', lasts: [], place: 0 };
  return { first: name, last: lasts[(place + round) % lasts.length] ?? '' };
}

const PLAIN: Record<string, string> = { ø: 'o', ı: 'i', ł: 'l' };

export function demoEmail(first: string, last: string): string {
  const name = `${first}.${last}`
    .toLowerCase()
    .normalize('NFD')
    .replace(/[øıł]/g, (it) => PLAIN[it] ?? it)
    .replace(/[^a-z.-]/g, '');
  return `${name}@demo.test`;
}
