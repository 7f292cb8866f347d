import { PinoLogger } from './logger.ts';

describe('the log', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = new PinoLogger('info', { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });

  beforeEach(() => lines.splice(0));

  it('is one JSON object a line, with the context that Nest gives last', () => {
    logger.log('listening', 'Main');
    expect(lines).toEqual([expect.objectContaining({ level: 30, message: 'listening', context: 'Main' })]);
  });

  it('shows an error with its stack', () => {
    logger.error(new Error('broken'), 'Main');
    logger.error('broken too', 'at somewhere', 'Main');
    expect(lines[0]).toMatchObject({
      level: 50,
      message: 'broken',
      context: 'Main',
      err: { stack: expect.any(String) },
    });
    expect(lines[1]).toMatchObject({ message: 'broken too', stack: 'at somewhere', context: 'Main' });
  });

  it('does not show what an assertion compared', () => {
    const compared = { actual: { of: 'a customer' }, expected: { of: 'another' } };
    logger.fatal(Object.assign(new Error('must be the same'), compared), 'Main');
    expect(lines[0]).toMatchObject({ err: { message: 'must be the same' } });
    expect(JSON.stringify(lines[0])).not.toContain('customer');
  });

  it('is silent below its level', () => {
    logger.debug('a detail', 'Main');
    expect(lines).toEqual([]);
  });
});
