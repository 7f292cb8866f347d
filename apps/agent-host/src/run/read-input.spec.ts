// What an agent takes, and whether what it does not is of another kind or only not as it must be.
import { Message } from '@a2a-js/sdk';
import { inputReader } from './read-input.ts';

const message = (...parts: object[]) => Message.fromJSON({ parts });
const readTyped = inputReader({ schema: { type: 'object', required: ['n'] } });
const readText = inputReader('text');

it('a text agent takes texts, of whatever kind of text', () => {
  expect(readText(message({ text: 'x' }, { text: 'y', mediaType: 'text/markdown; charset=utf-8' }))).toEqual({
    data: undefined,
  });
  for (const part of [{ text: 'x', mediaType: 'image/png' }, { url: 'x' }, { data: {} }]) {
    expect(readText(message(part))).toMatchObject({ refused: 'type' });
  }
});

it('a typed agent takes data', () => {
  expect(readTyped(message({ data: { n: 1 }, mediaType: 'application/vnd.x+json' }))).toEqual({ data: { n: 1 } });
  expect(readTyped(message({ data: { n: 1 }, mediaType: 'image/png' }))).toMatchObject({ refused: 'type' });
  expect(readTyped(message({ text: '{"n":1}' }))).toMatchObject({ refused: 'type' });
  expect(readTyped(message({ data: {} }))).toEqual({
    refused: 'value',
    why: "the data is not as the agent takes it: it must have required property 'n'",
  });
});
