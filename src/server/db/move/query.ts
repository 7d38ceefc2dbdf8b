/** Runs one statement and answers its rows. */
export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;
