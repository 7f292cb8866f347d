// A connection to Kafka that looks at topics and changes them, for as long as one piece of work takes.
import kafkajs, { type Admin } from 'kafkajs';
import type { KafkaAddress } from '#runtime';
import { clientOptions } from '../client-options.ts';
import { toLogFault } from '../kafka-fault.ts';

/**
 * Throws `LogUnavailableError` where Kafka cannot be reached, does not know us, or does not let us do it, and
 * `LogMisconfiguredError` where it refuses what is asked. `doing` completes "Kafka does not allow somebody to".
 */
export async function withAdmin<T>(
  address: KafkaAddress,
  doing: string,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  // What goes wrong is thrown; the client would say it again, in lines of its own.
  const kafka = new kafkajs.Kafka({ ...clientOptions(address), logLevel: kafkajs.logLevel.NOTHING });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await work(admin);
  } catch (error) {
    throw toLogFault(error, address, doing);
  } finally {
    await admin.disconnect();
  }
}
