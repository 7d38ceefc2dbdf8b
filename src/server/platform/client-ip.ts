/** The request header that app.ts sets from the connection; the client's own copy is dropped there. */
export const CLIENT_IP_HEADER = 'x-cellar-door-client';
