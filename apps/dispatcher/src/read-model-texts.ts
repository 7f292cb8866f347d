// What the read model knows for a lapse's text. It may lag, or know nothing: the text then names ids only.
import { type DataSource, In } from 'typeorm';
import { ExpectationRow, identityHash } from '#read-model';
import type { ExpectationText, ExpectationTexts } from './expectation-texts.ts';

export class ReadModelTexts implements ExpectationTexts {
  private readonly readModel: DataSource;

  constructor(readModel: DataSource) {
    this.readModel = readModel;
  }

  async find(
    tenant: string,
    agentId: string,
    expectationIds: readonly string[],
  ): Promise<ReadonlyMap<string, ExpectationText>> {
    const rows = await this.readModel.getRepository(ExpectationRow).find({
      select: { expectationHash: true, occurrence: true, expectationId: true, expects: true, grace: true },
      where: { expectationHash: In(expectationIds.map((id) => identityHash(tenant, agentId, id))) },
      // Of an id used again, the last counts.
      order: { occurrence: 'ASC' },
    });
    return new Map(rows.map(({ expectationId, expects, grace }) => [expectationId, { expects, grace }]));
  }
}
