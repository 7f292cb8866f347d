// Ids that nobody can guess and that are drawn nowhere else.
import { randomUUID } from 'node:crypto';

/** Injected, so that a test knows what it gives. */
export type NewId = () => string;

export const newId: NewId = () => randomUUID();
