// Ids that nobody else has. The only file of the kit that draws chance.
import { randomUUID } from 'node:crypto';

export const randomId = (): string => randomUUID();
