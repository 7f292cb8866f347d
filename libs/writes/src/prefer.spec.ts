import { readWaitMs } from './prefer.ts';

describe('Prefer: wait', () => {
  it.each([
    [undefined, 5_000],
    ['', 5_000],
    ['respond-async', 5_000],
    ['wait=0', 0],
    ['wait=10', 10_000],
    ['respond-async, wait=2; x=1', 2_000],
    ['Wait = "3"', 3_000],
    ['wait=100000', 60_000],
    ['wait=-1', 5_000],
    ['await=3', 5_000],
    ['wait=1.5', 5_000],
    [['return=minimal', 'wait=4'], 4_000],
  ])('%j is %d ms', (header, milliseconds) => {
    expect(readWaitMs(header)).toBe(milliseconds);
  });
});
