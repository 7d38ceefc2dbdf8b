/** A stream of events that stays open and sends nothing. */
export const silentStream = () =>
  new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
