// What an agent takes: text parts, or exactly one data part that its schema is content with. Anything else is refused with
// a sentence, before the handler is called.
import type { Message } from '@a2a-js/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { AgentHandler, Json } from '#agent-handler';

export type ReadInput = { readonly data: Json | undefined } | { readonly refused: string };

export type InputReader = (message: Message) => ReadInput;

/** Findings of one message; a stranger's data may be wrong in many places. */
const mostFindings = 5;

/** Throws where the schema is none. */
export function inputReader(input: AgentHandler['input']): InputReader {
  if (input === undefined || input === 'text') return readText;
  const ajv = new Ajv2020({ allErrors: false, strict: false });
  const validate = ajv.compile(input.schema);
  return ({ parts }) => {
    const [part] = parts;
    if (parts.length !== 1 || part?.content?.$case !== 'data') {
      return { refused: `the agent takes exactly one part, with data; the message has ${describe(parts)}` };
    }
    const data = part.content.value as Json;
    if (validate(data)) return { data };
    const findings = (validate.errors ?? []).slice(0, mostFindings);
    const told = findings.map(({ instancePath, message }) => `${instancePath || 'it'} ${message ?? 'is not valid'}`);
    return { refused: `the data is not as the agent takes it: ${told.join('; ')}` };
  };
}

function readText({ parts }: Message): ReadInput {
  const isText = parts.length > 0 && parts.every(({ content }) => content?.$case === 'text');
  if (isText) return { data: undefined };
  return { refused: `the agent takes text parts; the message has ${describe(parts)}` };
}

function describe(parts: Message['parts']): string {
  const kinds = parts.map(({ content }) => content?.$case ?? 'nothing');
  return kinds.length === 0 ? 'no parts' : `parts of ${kinds.slice(0, 10).join(', ')}`;
}
