// Faults planted in the projector and its fold.
import type { Mutant } from '../../mutants/mutant.ts';

export const ofProjector: readonly Mutant[] = [
  {
    name: 'the position is written outside the transaction of the rows',
    file: 'libs/read-model/src/fold-ledger.ts',
    find: '    await runner.manager.update(PositionRow, { partition }, position);\n    await runner.commitTransaction();',
    replace:
      '    await runner.commitTransaction();\n    await runner.manager.update(PositionRow, { partition }, position);',
  },
  {
    name: 'a record is folded though it stands in the tables',
    file: 'libs/read-model/src/fold-ledger.ts',
    find: 'records.filter(({ offset }) => offset > stored.ledgerOffset)',
    replace: 'records.filter(({ offset }) => offset >= stored.ledgerOffset)',
  },
  {
    name: 'a record that meets a conflict is parked',
    file: 'libs/read-model/src/fold-ledger.ts',
    find: '/^(22|23|54)/',
    replace: '/^(22|23|40|54)/',
  },
  {
    name: 'a projector that fails gives up',
    file: 'apps/projector/src/projector.ts',
    find: 'await this.clock.sleep(delayMs, signal);',
    replace: 'return;',
  },
];
