// Why a run has failed: a rule of the oracle that did not hold, a bug that the product asserted, or no progress.

export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
}
