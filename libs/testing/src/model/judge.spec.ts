// The model against the specification's own answers, and the project's copy of those against the shared folder.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVectors, vectorFiles, vectorFolder } from '../scenario/vector-files.ts';
import { judge } from './judge.ts';

describe('the model', () => {
  it.each(readVectors().map((vector) => [vector.name, vector] as const))('answers %s', (_name, vector) => {
    const { records, lapses, refusals } = judge(vector);
    expect({ records, lapses, refusals }).toEqual(vector.expected);
  });
});

const shared = join(vectorFolder, '../../../shared/vectors');
const inCi = process.env['CI'] !== undefined && existsSync(shared) ? it : it.skip;

inCi('the copy of the vectors is the shared folder, byte for byte', () => {
  expect(vectorFiles()).toEqual(vectorFiles(shared));
  for (const name of vectorFiles(shared)) {
    expect(readFileSync(join(vectorFolder, name)).equals(readFileSync(join(shared, name)))).toBe(true);
  }
});
