/** 'Good evening, Ada' by the hour of the reader's clock. */
export function greeting(firstName: string, hour: number): string {
  const time = hour < 5 || hour >= 18 ? 'evening' : hour < 12 ? 'morning' : 'afternoon';
  return `Good ${time}, ${firstName}`;
}
