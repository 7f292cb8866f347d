import { METADATA_KEY } from './extension.ts';
import { listedItemsCount } from './listed-items.ts';

const carrying = (block: unknown) => ({ metadata: { [METADATA_KEY]: block } });

describe('an observation lists', () => {
  it.each<[string, unknown, number]>([
    ['itself', { agentId: 'a' }, 1],
    ['itself, whatever it is', null, 1],
    ['its artifacts', { task: { artifacts: [0, 0, 0] } }, 4],
    [
      'what their blocks list',
      { task: { artifacts: [carrying({ expectations: [1, 2], withdraw: ['a'], facts: [1, 2, 3] })] } },
      8,
    ],
    ['what a status message lists', { statusUpdate: { status: { message: carrying({ facts: [1, 2] }) } } }, 3],
    ['what an artifact lists', { artifact_update: { artifact: carrying({ withdraw: [1] }) } }, 2],
    ['what a message lists', { message: carrying({ facts: [1] }) }, 2],
    ['what is in an answer of JSON-RPC', { result: { task: { artifacts: [carrying({ facts: [1] })] } } }, 3],
    ['what is tagged by its kind', { kind: 'task', artifacts: [carrying({ facts: [1] })] }, 3],
    ['nothing by its parts or its history', { task: { history: [carrying({ facts: [1] })], parts: [1, 2] } }, 1],
    ['nothing by what is no list', { message: carrying({ facts: { length: 1e9 } }) }, 1],
  ])('%s', (_, observation, count) => {
    expect(listedItemsCount(observation)).toBe(count);
  });
});
