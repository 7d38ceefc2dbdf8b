/** 'Good evening, Ada'. `hour` is 0 to 23, in local time. */
export function greeting(firstName: string, hour: number): string {
  const time = hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon';
  return `Good ${time}, ${firstName}`;
}
