// The five rows of "Understand when a Task exists".
import { whenTaskExists } from './when-task-exists.ts';

describe('a Task exists', () => {
  it.each([
    ['not after a blocking request that finishes directly', 'blocking', 'finished', 'message'],
    ['while and after a stream runs', 'streaming', 'begun', 'trackedTask'],
    ['while and after a request runs that is answered at once', 'immediate', 'begun', 'trackedTask'],
    ['with input required, where a human or the client must answer', 'blocking', 'toInput', 'inputRequiredTask'],
    ['persisted, where it waits for work', 'blocking', 'toDurableWait', 'persistedTask'],
    ['not yet while a blocking request runs', 'blocking', 'begun', 'nothing'],
    ['where a Message could not tell what came of it', 'blocking', 'reporting', 'trackedTask'],
    ['after a stream, whatever came of it', 'streaming', 'finished', 'trackedTask'],
  ] as const)('%s', (_, interaction, came, exists) => {
    expect(whenTaskExists(interaction, came)).toBe(exists);
  });
});
