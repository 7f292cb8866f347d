// What the README's five minutes send, taken from there.
import { textOf } from './repository-file.ts';

/** The first expectation, due at the instant given, as it is posted. */
export function readmeObservation(dueAt: string): unknown {
  return JSON.parse(hereDocuments()[0]!.replace('$due', dueAt));
}

/** The fact that satisfies it, observed at the instant given. */
export function readmeFact(observedAt: string): unknown {
  return JSON.parse(hereDocuments()[1]!.replace(/\$\(node .*?\)(?=",)/, observedAt));
}

/** The expectation's path in the API. */
export const readmeExpectation = '/v1/expectations/flights/ek203-departure';

function hereDocuments(): readonly string[] {
  return [...textOf('README.md').matchAll(/<<JSON\n(.*?)^JSON$/gms)].map(([, text = '']) => text);
}
