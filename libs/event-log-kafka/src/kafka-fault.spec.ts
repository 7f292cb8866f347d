import kafkajs from 'kafkajs';
import { FencedError, LogMisconfiguredError, LogUnavailableError } from '#event-log';
import type { KafkaAddress } from '#runtime';
import { answerTypeOf, toLogFault } from './kafka-fault.ts';

const address: KafkaAddress = {
  brokers: ['kafka-1:9092', 'kafka-2:9092'],
  prefix: 'acme',
  sasl: { mechanism: 'plain', username: 'watcher', password: 'hunter2' },
};

function answer(type: string, retriable: boolean): Error {
  const error = new kafkajs.KafkaJSProtocolError('Kafka’s own words');
  return Object.assign(error, { type, retriable });
}

function wrapped(cause: Error): Error {
  return Object.assign(new kafkajs.KafkaJSNonRetriableError('failed'), { cause });
}

const faultOf = (error: unknown, of: KafkaAddress = address) => toLogFault(error, of, 'look at the topics') as Error;

describe('an error of the client', () => {
  it('is a log that cannot be reached where no broker answers', () => {
    const retried = new kafkajs.KafkaJSNumberOfRetriesExceeded(
      new kafkajs.KafkaJSConnectionError('connect ECONNREFUSED'),
      { retryCount: 8, retryTime: 1_000 },
    );
    const fault = faultOf(retried);
    expect(fault).toBeInstanceOf(LogUnavailableError);
    expect(fault.cause).toBe(retried);
    expect(fault.message).toBe('Kafka cannot be reached at kafka-1:9092,kafka-2:9092: connect ECONNREFUSED');
  });

  it('says what to look at where the connection is ended: the listener may speak otherwise', () => {
    const ended = new kafkajs.KafkaJSConnectionError('Closed connection');
    expect(faultOf(ended).message).toMatch(/set DUEWATCH_KAFKA_TLS=true$/);
    expect(faultOf(ended, { ...address, tls: {} }).message).toMatch(/Does its listener speak TLS with SASL\?$/);
  });

  it('names who is not let in, and no secret', () => {
    const fault = faultOf(
      Object.assign(new kafkajs.KafkaJSNonRetriableError('Invalid username or password'), {
        name: 'KafkaJSSASLAuthenticationError',
      }),
    );
    expect(fault).toBeInstanceOf(LogUnavailableError);
    expect(fault.message).toBe(
      'Kafka at kafka-1:9092,kafka-2:9092 does not let watcher (plain) in: Invalid username or password',
    );
  });

  it('names who may not do what', () => {
    const { sasl: _, ...nameless } = address;
    const refused = answer('TOPIC_AUTHORIZATION_FAILED', false);
    expect(faultOf(refused)).toBeInstanceOf(LogUnavailableError);
    expect(faultOf(refused).message).toBe(
      'Kafka does not allow watcher (plain) to look at the topics (TOPIC_AUTHORIZATION_FAILED): it lacks an ACL, see ' +
        'docs/kafka.md',
    );
    expect(faultOf(refused, nameless).message).toMatch(/allow a client without a name to/);
    expect(faultOf(refused, { ...nameless, tls: { cert: 'pem' } }).message).toMatch(/the client of the certificate/);
  });

  it('is a log that cannot be used as it is where the broker refuses for good', () => {
    const refused = faultOf(answer('POLICY_VIOLATION', false));
    expect(refused).toBeInstanceOf(LogMisconfiguredError);
    expect(refused.message).toBe('Kafka could not look at the topics: Kafka’s own words (POLICY_VIOLATION)');
    expect(faultOf(answer('LEADER_NOT_AVAILABLE', true))).toBeInstanceOf(LogUnavailableError);
  });

  it('is what it was where it is the port’s already, or nobody’s', () => {
    const typed = new LogUnavailableError('no token');
    expect(faultOf(wrapped(typed))).toBe(typed);
    const fenced = new FencedError('taken over', { cause: answer('INVALID_PRODUCER_EPOCH', false) });
    expect(faultOf(fenced)).toBe(fenced);
    const bug = new TypeError('of null');
    expect(faultOf(bug)).toBe(bug);
  });

  it('tells the broker’s answer behind it', () => {
    expect(answerTypeOf(wrapped(answer('POLICY_VIOLATION', false)))).toBe('POLICY_VIOLATION');
    expect(answerTypeOf(new Error('other'))).toBeUndefined();
  });
});
