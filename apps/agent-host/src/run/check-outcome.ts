// What a handler returns: an outcome that there is, or a `TypeError` that shows what it returned instead.
import { inspect } from 'node:util';
import type { Outcome } from '#agent-handler';
import { checkCarried, checkSaid } from './check-content.ts';
import { checkJson, checkMembers, checkText } from './check-json.ts';

const names = ['completed', 'inputRequired', 'rejected', 'failed', 'waiting'] satisfies Outcome['outcome'][];

/** `workNames`: the work that the handler has. */
export function checkOutcome(value: unknown, workNames: readonly string[]): Outcome | undefined {
  if (value === undefined || value === null) return undefined;
  const name: unknown = typeof value === 'object' ? (value as { readonly outcome?: unknown }).outcome : undefined;
  const known = names.find((each) => each === name);
  if (known === undefined) {
    throw new TypeError(`the handler returned ${shown(value)}: its outcome must be one of ${names.join(', ')}`);
  }
  const outcome = checkMembers(value, 'the outcome');
  if (known === 'waiting') checkWaiting(outcome, workNames);
  else if (known !== 'completed' || outcome['message'] !== undefined) checkSaid(outcome['message'], 'outcome.message');
  checkCarried({ metadata: outcome['metadata'], extensions: outcome['extensions'] }, 'outcome');
  return value as Outcome;
}

function checkWaiting(outcome: Readonly<Record<string, unknown>>, workNames: readonly string[]): void {
  const { payload, state, wait, work } = outcome;
  if (state !== undefined) checkJson(state, 'outcome.state');
  if (wait !== undefined) {
    checkText(checkMembers(wait, 'outcome.wait')['token'], 'outcome.wait.token');
    return;
  }
  if (!workNames.includes(checkText(work, 'outcome.work'))) {
    throw new TypeError(`the handler waits for ${shown(work)}, and its work is ${workNames.join(', ') || 'none'}`);
  }
  checkJson(payload, 'outcome.payload');
}

function shown(value: unknown): string {
  const told = inspect(value, { depth: 1, maxStringLength: 100, maxArrayLength: 10, breakLength: Infinity });
  return told.length > 300 ? `${told.slice(0, 300)}…` : told;
}
