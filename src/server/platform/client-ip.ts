/** Request header with the client IP. http/app.ts sets it from the connection, replacing whatever the client sent. */
export const CLIENT_IP_HEADER = 'x-cellar-door-client';
