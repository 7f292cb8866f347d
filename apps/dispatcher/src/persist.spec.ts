import { Logger } from '@nestjs/common';
import { LogUnavailableError } from '#event-log';
import { systemClock } from '#runtime';
import { persist } from './persist.ts';

const signal = new AbortController().signal;

beforeAll(() => Logger.overrideLogger(false));

function running(pass: () => Promise<boolean>): Promise<void> {
  return persist('test', { clock: systemClock, random: { fraction: () => 0 }, signal }, pass);
}

describe('background work', () => {
  it('goes on after a fault of the world, until it is done', async () => {
    const answers = [new LogUnavailableError('gone'), true, Object.assign(new Error('bye'), { code: '57P01' }), false];
    await running(async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? true;
    });
    expect(answers).toEqual([]);
  });

  it('ends with a bug', async () => {
    await expect(running(() => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
  });

  it('is not begun once the signal has aborted', async () => {
    const pass = () => Promise.reject(new Error('begun'));
    await persist('test', { clock: systemClock, random: { fraction: () => 0 }, signal: AbortSignal.abort() }, pass);
  });
});
