import { answerBytes, AnswerScan, AnswerTooMuchError, scannedStream } from './answer-scan.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

function scan(text: string, isStream = false): void {
  // Cut anywhere, as a network does.
  const scanning = new AnswerScan(isStream);
  const all = bytes(text);
  for (let at = 0; at < all.length; at += 7_919) scanning.take(all.subarray(at, at + 7_919));
}

describe('an answer', () => {
  it.each([
    ['as deep as may be', deep(100)],
    ['of as many values as may be', `[${'1,'.repeat(249_999)}1]`],
    ['with brackets and commas in texts', JSON.stringify({ text: `\\"${'[{,'.repeat(200_000)}`, 'a"[': 1 })],
    ['of many lists beside each other', `[${'[],'.repeat(100_000)}[]]`],
  ])('is read: %s', (_, text) => {
    expect(() => scan(text)).not.toThrow();
  });

  it.each([
    ['too deep', deep(101)],
    ['too deep behind a text', `{"a\\\\":${deep(101)}}`],
    ['of too many values', `[${'1,'.repeat(250_000)}1]`],
    ['of too many lists', `[${'[],'.repeat(130_000)}[]]`],
  ])('is not given to the SDK: %s', (_, text) => {
    expect(() => scan(text)).toThrow(AnswerTooMuchError);
  });
});

describe('an event of a stream', () => {
  const event = (data: string, end = '\n'): string => `data: ${data}${end}${end}`;

  it.each(['\n', '\r\n', '\r'])('is an answer of its own, lines ended by %j', (end) => {
    const large = JSON.stringify('x'.repeat(answerBytes / 4));
    expect(() => scan(event(large, end).repeat(8) + event(deep(100), end), true)).not.toThrow();
    expect(() => scan(`: it's "open${end}${event(deep(101), end)}`, true)).toThrow(AnswerTooMuchError);
    expect(() => scan(`data: ${'[],'.repeat(60_000)}${end}`.repeat(3), true)).toThrow(AnswerTooMuchError);
    expect(() => scan(`data: x${end}`.repeat(answerBytes / 8 + 1), true)).toThrow(AnswerTooMuchError);
  });

  it('that is too much ends the stream with what is wrong', async () => {
    const body = new Response(event('1') + event(deep(101))).body!;
    await expect(new Response(scannedStream(body)).text()).rejects.toThrow('nested deeper than 100 levels');
  });
});
