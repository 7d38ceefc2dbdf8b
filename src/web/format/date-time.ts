const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' });
const timeFormat = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });

/** 'Mar 04, 2026 • 7:05 PM' (spec section 9: MMM dd, yyyy • h:mm a), where the reader is. */
export function formatDateTime(timestamp: string): string {
  const instant = new Date(timestamp);
  // Newer browsers put a narrow space before AM and PM.
  return `${dayFormat.format(instant)} • ${timeFormat.format(instant).replace('\u202f', ' ')}`;
}
