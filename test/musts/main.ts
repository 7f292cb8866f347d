// Checks one MUST, named by its group and its place there, against the product that this is built beside. Ends with 0 where
// it is held, and with 1 where it is not.
import { type Group, groups } from './musts.ts';

const [, , group = '', index = ''] = process.argv;
const must = (await groups[group as Group]())[Number(index)];
if (must === undefined) throw new Error(`there is no MUST ${group} ${index}`);
process.stdout.write('checking\n');
try {
  await must.check();
} catch (error) {
  process.stdout.write(`not held: ${String(error)}\n`);
  process.exitCode = 1;
}
