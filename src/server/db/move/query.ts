export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;
